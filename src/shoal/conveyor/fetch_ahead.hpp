/// How far ahead of its cursors an outbox of many links fetches the lines of its open buffers.
///
/// A processor follows some tens of streams of stores by itself and fetches the lines that come next. With more links
/// than that, each line of a buffer is a miss that the sender waits for: docs/performance.md has the measurements.
#pragma once

#include <algorithm>
#include <cstddef>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/link_end.hpp"

namespace shoal {

/// When an outbox fetches ahead, and how far.
struct fetch_ahead {
  std::size_t n_links_min = 17;  // an outbox of fewer leaves it to the processor
  // Of one link. Longer stretches ask for room less often; what is fetched for all links must stay in the second-level
  // cache until it is filled.
  std::size_t bytes_min = 128;
  std::size_t bytes_max = 1024;
  std::size_t bytes_of_all_links = std::size_t{128} << 10;

  /// Bytes that are fetched at a time for each of `n_links` links; 0: none.
  std::size_t stretch_bytes(std::size_t n_links) const noexcept {
    return n_links < n_links_min ? 0 : std::clamp(bytes_of_all_links / n_links, bytes_min, bytes_max);
  }
};

// The room of a link is filled in stretches of `step` bytes, a multiple of the size of an item: the limit is moved closer
// to the cursor, so that an item asks for room at the end of each stretch. While one is filled, the next is fetched.

inline void fetch_stretch(const std::byte* begin, const std::byte* end, std::size_t step) noexcept {
  const std::size_t bytes = std::min(step, static_cast<std::size_t>(end - begin));
  for (std::size_t at = 0; at < bytes; at += cache_line_bytes) __builtin_prefetch(begin + at, 1);
}

/// The first stretch of the room that a link just got.
inline void begin_stretch(link_end& link, std::size_t step, bool has_runs) noexcept {
  std::byte* const end = link.limit;
  if (static_cast<std::size_t>(end - link.cursor) <= step) return;
  link.limit = link.cursor + step;
  if (!has_runs) link.room_end = end;
  fetch_stretch(link.limit, end, step);
}

/// The next one of a link of one kind that has filled its stretch; false: its room is full.
inline bool next_stretch(link_end& link, std::size_t step) noexcept {
  std::byte* const end = link.room_end;
  if (end <= link.limit) return false;
  link.limit += std::min(step, static_cast<std::size_t>(end - link.limit));
  fetch_stretch(link.limit, end, step);
  return true;
}

}  // namespace shoal
