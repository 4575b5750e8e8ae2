/// Runs: how items of different types share a buffer in order.
///
/// A run is a header of 8 bytes followed by items of one type, so a type is named once per run, not once per item. A
/// header lies directly before its first item. If that item needs more than 8-byte alignment, a padding run (type 0)
/// fills the gap. Layout of a buffer with runs:
///
///     [header][item][item]…  pad to 8  [header][item]…
#pragma once

#include <cstdint>
#include <cstring>

#include "shoal/base/types.hpp"

namespace shoal::internal {

struct run_header {
  std::uint32_t type = 0;  // 0: padding, and `n_items` is its size in bytes
  std::uint32_t n_items = 0;
};
static_assert(sizeof(run_header) == 8);

inline constexpr std::uint32_t padding_run = 0;

inline void write_run_header(std::byte* first_item, run_header header) noexcept {
  std::memcpy(first_item - sizeof header, &header, sizeof header);
}

inline run_header read_run_header(const std::byte* first_item) noexcept {
  run_header header;
  std::memcpy(&header, first_item - sizeof header, sizeof header);
  return header;
}

template <class Byte>  // std::byte or const std::byte
inline Byte* align_up(Byte* p, std::size_t to) noexcept {
  return p + (-reinterpret_cast<std::uintptr_t>(p) & (to - 1));
}

/// Where the first item of a new run goes in a buffer filled up to `cursor`, for alignments up to 8.
template <class Byte>
inline Byte* after_run_header(Byte* cursor) noexcept {
  return align_up(cursor, sizeof(run_header)) + sizeof(run_header);
}

/// The same for any alignment up to 64; null if the buffer ends before that. Fills a gap with a padding run.
inline std::byte* after_run_header(std::byte* cursor, const std::byte* end, std::size_t align) noexcept {
  std::byte* const unaligned = after_run_header(cursor);
  std::byte* const begin = align_up(unaligned, align);
  if (begin > end) return nullptr;
  // Both ends are multiples of 8, so the gap holds the header of a padding run.
  if (const auto gap = static_cast<std::uint32_t>(begin - unaligned); gap != 0) {
    write_run_header(unaligned, {padding_run, gap - static_cast<std::uint32_t>(sizeof(run_header))});
  }
  return begin;
}

}  // namespace shoal::internal
