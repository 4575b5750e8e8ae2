/// How far ahead of its cursors an outbox of many links fetches the lines of its open buffers.
///
/// A processor follows some tens of streams of stores by itself and fetches the lines that come next. With more links
/// than that, each line of a buffer is a miss that the sender waits for: docs/performance.md has the measurements.
#pragma once

#include <algorithm>
#include <cstddef>

namespace shoal {

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

}  // namespace shoal
