#include "shoal/actor/array_collectives.hpp"

#include <algorithm>
#include <utility>

#include "shoal/actor/internal/arrays.hpp"

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

}  // namespace internal

using namespace internal;

array_collectives::array_collectives() noexcept = default;
array_collectives::~array_collectives() = default;

void array_collectives::begin_arrays(owner<arrays> its) noexcept { arrays_ = std::move(its); }
void array_collectives::end_arrays() noexcept { arrays_.reset(); }

bool array_collectives::is_first() const noexcept { return arrays_->my_pe() == 0; }

void array_collectives::fold_bytes(const array_call& call, const array_operation& op, fold_result result,
                                   std::span<const std::byte> mine, std::span<std::byte> into) {
  arrays_->fold(call, op, result, mine, into);
}

std::vector<std::size_t> array_collectives::lengths_to_gather(const array_call& call, std::span<const std::byte> mine,
                                                              pe_id root) {
  return arrays_->lengths_to_gather(call, mine, root);
}

void array_collectives::gather_bytes(const array_call& call, std::span<const std::byte> mine,
                                     std::span<const std::size_t> offsets, std::span<std::byte> into, pe_id root) {
  arrays_->gather(call, mine, offsets, into, root);
}

std::vector<std::size_t> array_collectives::lengths_to_come(const array_call& call,
                                                            std::span<const std::span<const std::byte>> out) {
  return arrays_->lengths_to_come(call, out);
}

void array_collectives::exchange_all(const array_call& call, std::span<const std::span<const std::byte>> out,
                                     std::span<const std::size_t> offsets, std::span<std::byte> into) {
  arrays_->exchange_all(call, out, offsets, into);
}

}  // namespace shoal
