#include "tools/conveyor_bench/items.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/base/random.hpp"

namespace shoal::cli {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// An identity in a word: 20 bits for each PE (there are at most 1,000,000), the rest for the number. The number may
// wrap, because counts are compared, too.
constexpr int pe_bits = 20;
constexpr int number_bits = 64 - 2 * pe_bits;
constexpr std::uint64_t number_mask = (std::uint64_t{1} << number_bits) - 1;

std::uint64_t packed(const identity& which) {
  return static_cast<std::uint64_t>(which.sender) << (number_bits + pe_bits) |
         static_cast<std::uint64_t>(which.target) << number_bits | (which.number & number_mask);
}

identity unpacked(std::uint64_t word) {
  constexpr std::uint64_t pe_mask = (std::uint64_t{1} << pe_bits) - 1;
  return {.sender = static_cast<pe_id>(word >> (number_bits + pe_bits)),
          .target = static_cast<pe_id>(word >> number_bits & pe_mask),
          .number = word & number_mask};
}

}  // namespace

item_contents::item_contents(std::uint64_t seed, std::size_t item_bytes, std::optional<std::uint64_t> entropy_bits,
                             bool has_random_sizes)
    : seed_(mixed_bits(seed)), item_bytes_(item_bytes), has_random_sizes_(has_random_sizes) {
  if (!entropy_bits) return;
  const std::size_t n_words = (item_bytes + word_bytes - 1) / word_bytes;
  const std::uint64_t n_bits = 8 * item_bytes;
  const std::uint64_t n_varying = std::min(*entropy_bits, n_bits);
  varying_.assign(n_words, 0);
  for (std::uint64_t i = 0; i < n_varying; ++i) {
    const std::uint64_t bit = i * n_bits / n_varying;
    varying_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  std::uint64_t state = seed_;
  for (const std::uint64_t mask : varying_) constant_.push_back(splitmix64(state) & ~mask);
}

std::uint64_t item_contents::state_of(const identity& which) const noexcept {
  return mixed_bits(seed_ ^ packed({which.sender, which.target, 0})) + mixed_bits(which.number);
}

std::size_t item_contents::bytes_of(const identity& which) const noexcept {
  if (!has_random_sizes_) return item_bytes_;
  return static_cast<std::size_t>(mixed_bits(~state_of(which)) % (item_bytes_ + 1));
}

std::uint64_t item_contents::word(const identity& which, std::size_t bytes, std::uint64_t& state,
                                  std::size_t i) const noexcept {
  if (i == 0 && names_identity(bytes)) return packed(which);
  const std::uint64_t random = splitmix64(state);
  return constant_.empty() ? random : constant_[i] | (random & varying_[i]);
}

std::size_t item_contents::write(const identity& which, std::byte* item) const noexcept {
  const std::size_t bytes = bytes_of(which);
  std::uint64_t state = state_of(which);
  std::size_t i = 0;
  for (std::size_t at = 0; at < bytes; at += word_bytes) {
    const std::uint64_t value = word(which, bytes, state, i++);
    std::memcpy(item + at, &value, std::min(word_bytes, bytes - at));
  }
  return bytes;
}

bool item_contents::matches(const identity& which, std::span<const std::byte> item) const noexcept {
  if (item.size() != bytes_of(which)) return false;
  std::uint64_t state = state_of(which);
  std::size_t i = 0;
  for (std::size_t at = 0; at < item.size(); at += word_bytes) {
    const std::uint64_t value = word(which, item.size(), state, i++);
    if (std::memcmp(item.data() + at, &value, std::min(word_bytes, item.size() - at)) != 0) return false;
  }
  return true;
}

std::string item_contents::describe_fault(const identity& due, std::span<const std::byte> item) const {
  const auto text = [](const identity& which) {
    return "item " + std::to_string(which.number) + " from PE " + std::to_string(which.sender) + " to PE " +
           std::to_string(which.target);
  };
  std::string was_due = text(due) + " was due";
  if (has_random_sizes_) was_due += " with " + std::to_string(bytes_of(due)) + " bytes";
  if (!names_identity(item.size())) {
    if (item.size() == bytes_of(due)) return was_due + ", but other bytes came";
    return was_due + ", but an item of " + std::to_string(item.size()) + " bytes came";
  }
  std::uint64_t first = 0;
  std::memcpy(&first, item.data(), sizeof first);
  if (first == packed(due)) return was_due + " and came, with wrong bytes behind its identity";
  return was_due + ", but " + text(unpacked(first)) + " came";
}

std::uint64_t sum_of_words(const std::byte* item, std::size_t bytes) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < bytes; at += word_bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, item + at, std::min(word_bytes, bytes - at));
    sum += value;
  }
  return sum;
}

}  // namespace shoal::cli
