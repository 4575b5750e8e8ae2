#include "shoal/actor/array_collectives.hpp"

#include <algorithm>

#include "shoal/actor/internal/arrays.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/settings.hpp"

namespace shoal {
namespace internal {

std::size_t combine_lengths(std::byte* into, const std::byte* from, std::size_t bytes, std::size_t element_bytes) {
  if (!combine_heads(into, from)) return 0;
  const std::uint64_t n = read_word(into + sizeof(round_head));
  // If lengths differ, `bytes` may be those of a longer array.
  if (n == read_word(from + sizeof(round_head))) return std::min(n, (bytes - array_values_offset) / element_bytes);
  std::memcpy(into + sizeof(round_head), &lengths_differ, sizeof lengths_differ);
  return 0;
}

std::vector<std::size_t> offsets_of(std::span<const std::size_t> lengths) {
  std::vector<std::size_t> offsets{0};
  offsets.reserve(lengths.size() + 1);
  for (const std::size_t n : lengths) offsets.push_back(offsets.back() + n);
  return offsets;
}

}  // namespace internal

using namespace internal;

bool array_collectives::is_first() const noexcept { return static_cast<const world&>(*this).my_pe() == 0; }

arrays& array_collectives::its() {
  if (arrays_ == nullptr) {
    world& home = static_cast<world&>(*this);
    // An eighth of the budget: windows of reductions are no buffers, but should not outgrow them.
    const std::size_t memory_bytes = home.chosen_settings().memory_bytes.value / 8;
    arrays_.reset(new arrays(*home.exchange_, home.collectives_, home.main_, memory_bytes));
  }
  return static_cast<arrays&>(*arrays_);
}

void array_collectives::fold_bytes(const array_call& call, const array_operation& op, fold_result result,
                                   std::span<const std::byte> mine, std::span<std::byte> into) {
  its().fold(call, op, result, mine, into);
}

std::vector<std::size_t> array_collectives::lengths_to_gather(const array_call& call, std::span<const std::byte> mine,
                                                              pe_id root) {
  return its().lengths_to_gather(call, mine, root);
}

void array_collectives::gather_bytes(const array_call& call, std::span<const std::byte> mine,
                                     std::span<const std::size_t> offsets, std::span<std::byte> into, pe_id root) {
  its().gather(call, mine, offsets, into, root);
}

std::vector<std::size_t> array_collectives::lengths_to_come(const array_call& call,
                                                            std::span<const std::span<const std::byte>> out) {
  return its().lengths_to_come(call, out);
}

void array_collectives::exchange_all(const array_call& call, std::span<const std::span<const std::byte>> out,
                                     std::span<const std::size_t> offsets, std::span<std::byte> into) {
  its().exchange_all(call, out, offsets, into);
}

}  // namespace shoal
