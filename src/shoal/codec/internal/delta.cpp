#include "shoal/codec/internal/delta.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace shoal::internal {
namespace {

constexpr std::size_t head_bytes = 1 + sizeof(std::uint64_t);
constexpr std::size_t n_sampled = 64;

template <class Key>
Key load(const std::byte* from) noexcept {
  Key key;
  std::memcpy(&key, from, sizeof key);
  return key;
}

bool may_have_key(std::size_t item_bytes, std::size_t key_bytes) noexcept {
  return (key_bytes == 4 && (item_bytes == 4 || item_bytes >= 8)) || (key_bytes == 8 && item_bytes >= 8);
}

// How many bits the differences of the first keys need.
template <class Key>
int width_of_differences(std::span<const std::byte> items, std::size_t item_bytes) noexcept {
  const std::size_t n = std::min(n_sampled, items.size() / item_bytes);
  Key all = 0;
  for (std::size_t i = 1; i < n; ++i) {
    all |= static_cast<Key>(load<Key>(items.data() + i * item_bytes) - load<Key>(items.data() + (i - 1) * item_bytes));
  }
  return static_cast<int>(std::bit_width(all));
}

// If the key has 4 bytes, the next 4 need 32 bits at most.
std::size_t choose_key_bytes(std::span<const std::byte> items, std::size_t item_bytes) noexcept {
  if (item_bytes < 8) return 4;
  const int width_4 = width_of_differences<std::uint32_t>(items, item_bytes);
  return width_of_differences<std::uint64_t>(items, item_bytes) > width_4 + 32 ? 4 : 8;
}

// `to` holds a copy of the items, unless they consist of keys only.
template <class Key>
void take_differences(const std::byte* from, std::size_t item_bytes, std::size_t n, std::byte* to) noexcept {
  Key last = load<Key>(from);
  for (std::size_t i = 0; i < n; ++i) {
    const Key key = load<Key>(from + i * item_bytes);
    const auto difference = static_cast<Key>(key - last);
    std::memcpy(to + i * item_bytes, &difference, sizeof difference);
    last = key;
  }
}

template <class Key>
void sum_up(Key key, std::byte* items, std::size_t item_bytes, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    key = static_cast<Key>(key + load<Key>(items + i * item_bytes));
    std::memcpy(items + i * item_bytes, &key, sizeof key);
  }
}

bool has_room(std::vector<std::byte>& scratch, std::size_t bytes) noexcept {
  try {
    if (scratch.size() < bytes) scratch.resize(bytes);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

delta_codec::delta_codec(instruction_set use) noexcept : squeeze_(use) {}

std::size_t delta_codec::encode(std::span<const std::byte> items, std::size_t item_bytes,
                                std::span<std::byte> out) noexcept {
  if (item_bytes == 0) return squeeze_.encode(items, item_bytes, out);
  if (!may_have_key(item_bytes, 4) || items.size() < item_bytes || out.size() <= head_bytes) return 0;
  if (!has_room(differences_, items.size())) return 0;
  const std::size_t n = items.size() / item_bytes;
  const std::size_t key_bytes = choose_key_bytes(items, item_bytes);
  const std::size_t copied_from = item_bytes == key_bytes ? n * item_bytes : 0;
  std::memcpy(differences_.data() + copied_from, items.data() + copied_from, items.size() - copied_from);
  std::uint64_t first = 0;
  if (key_bytes == 4) {
    first = load<std::uint32_t>(items.data());
    take_differences<std::uint32_t>(items.data(), item_bytes, n, differences_.data());
  } else {
    first = load<std::uint64_t>(items.data());
    take_differences<std::uint64_t>(items.data(), item_bytes, n, differences_.data());
  }
  const std::size_t bytes =
      squeeze_.encode(std::span(differences_).first(items.size()), item_bytes, out.subspan(head_bytes));
  if (bytes == 0) return 0;
  out[0] = static_cast<std::byte>(key_bytes);
  std::memcpy(out.data() + 1, &first, sizeof first);
  return head_bytes + bytes;
}

bool delta_codec::decode(std::span<const std::byte> body, std::size_t item_bytes, std::span<std::byte> items) noexcept {
  if (item_bytes == 0) return squeeze_.decode(body, item_bytes, items);
  if (body.size() < head_bytes) return false;
  const auto key_bytes = static_cast<std::size_t>(body[0]);
  if (!may_have_key(item_bytes, key_bytes)) return false;
  if (!squeeze_.decode(body.subspan(head_bytes), item_bytes, items)) return false;
  const auto first = load<std::uint64_t>(body.data() + 1);
  const std::size_t n = items.size() / item_bytes;
  if (key_bytes == 4) {
    sum_up(static_cast<std::uint32_t>(first), items.data(), item_bytes, n);
  } else {
    sum_up(first, items.data(), item_bytes, n);
  }
  return true;
}

}  // namespace shoal::internal
