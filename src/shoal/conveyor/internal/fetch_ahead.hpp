/// Prefetches the lines of open buffers ahead of the cursors of an outbox with many links.
///
/// A processor tracks some tens of store streams and prefetches their next lines by itself. With more links, the sender
/// waits for a cache miss on every line of a buffer; docs/performance.md has the measurements.
#pragma once

#include <algorithm>
#include <cstddef>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/link_end.hpp"

namespace shoal::internal {

/// When an outbox fetches ahead, and how far.
struct fetch_ahead {
  std::size_t n_links_min = 17;  // with fewer links, the processor prefetches alone
  // Bytes per link. Longer stretches ask for room less often; but what is fetched for all links must stay in the
  // second-level cache until it is filled.
  std::size_t bytes_min = 128;
  std::size_t bytes_max = 1024;
  std::size_t bytes_of_all_links = std::size_t{128} << 10;

  /// Bytes to fetch at a time for each of `n_links` links; 0: none.
  std::size_t stretch_bytes(std::size_t n_links) const noexcept {
    return n_links < n_links_min ? 0 : std::clamp(bytes_of_all_links / n_links, bytes_min, bytes_max);
  }
};

// A link's room is filled in stretches of `step` bytes, a multiple of the item size. The limit ends at the current
// stretch, so that the send after it asks for room. While one stretch is filled, the next is fetched.

inline void fetch_stretch(const std::byte* begin, const std::byte* end, std::size_t step) noexcept {
  const std::size_t bytes = std::min(step, static_cast<std::size_t>(end - begin));
  for (std::size_t at = 0; at < bytes; at += cache_line_bytes) __builtin_prefetch(begin + at, 1);
}

/// Begins the first stretch of new room on a link.
inline void begin_stretch(link_end& link, std::size_t step, bool has_runs) noexcept {
  std::byte* const end = link.limit;
  if (static_cast<std::size_t>(end - link.cursor) <= step) return;
  link.limit = link.cursor + step;
  if (!has_runs) link.room_end = end;
  fetch_stretch(link.limit, end, step);
}

/// Begins the next stretch on a link of one kind that has filled its last one; false: its room is full.
inline bool next_stretch(link_end& link, std::size_t step) noexcept {
  std::byte* const end = link.room_end;
  if (end <= link.limit) return false;
  link.limit += std::min(step, static_cast<std::size_t>(end - link.limit));
  fetch_stretch(link.limit, end, step);
  return true;
}

}  // namespace shoal::internal
