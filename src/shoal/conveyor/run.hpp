/// Runs: how items of different types share a buffer in order.
///
/// A run is a header of 8 bytes and then items of one type, so a type is named once per run, not once per
/// item. A header lies directly before its first item; where that must be aligned to more than 8, a
/// padding run (type 0) fills the gap. Layout of a buffer with runs:
///
///     [header][item][item]…  pad to 8  [header][item]…
#pragma once

#include <cstdint>
#include <cstring>

#include "shoal/base/types.hpp"

namespace shoal {

struct run_header {
  std::uint32_t type = 0;     // 0: padding, and `n_items` is the number of bytes to skip
  std::uint32_t n_items = 0;
};
static_assert(sizeof(run_header) == 8);

inline constexpr std::uint32_t padding_run = 0;

inline void write_run_header(std::byte* first_item, run_header header) noexcept {
  std::memcpy(first_item - sizeof header, &header, sizeof header);
}

/// Where the first item of a new run lies if the buffer is filled up to `cursor`, header and any
/// padding written; null if not even the header fits below `end`. `align` <= 64.
inline std::byte* open_run_header(std::byte* cursor, const std::byte* end, std::size_t align) noexcept {
  const auto up = [](std::byte* p, std::size_t to) {
    return p + (-reinterpret_cast<std::uintptr_t>(p) & (to - 1));
  };
  std::byte* begin = up(cursor, sizeof(run_header)) + sizeof(run_header);
  if (align > sizeof(run_header)) {
    std::byte* const aligned = up(begin, align);
    if (aligned > end) return nullptr;
    // The gap is a multiple of 8, as both ends are: room for a padding run's header.
    if (const auto gap = static_cast<std::uint32_t>(aligned - begin); gap != 0) {
      write_run_header(begin, {padding_run, gap - static_cast<std::uint32_t>(sizeof(run_header))});
    }
    begin = aligned;
  }
  return begin > end ? nullptr : begin;
}

}  // namespace shoal
