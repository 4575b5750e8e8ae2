/// Rows in blocks over the parts of something: of `n`, the first n % n_parts parts have one more.
#pragma once

#include <algorithm>
#include <cstdint>

namespace shoal::internal::compat {

struct block_layout {
  std::int64_t n;
  std::int64_t n_parts;

  std::int64_t first_of(std::int64_t part) const { return part * (n / n_parts) + std::min(part, n % n_parts); }
  std::int64_t n_of(std::int64_t part) const { return first_of(part + 1) - first_of(part); }

  /// Of an index below n.
  std::int64_t part_of(std::int64_t index) const {
    const std::int64_t few = n / n_parts;
    const std::int64_t in_larger = n % n_parts * (few + 1);
    return index < in_larger ? index / (few + 1) : n % n_parts + (index - in_larger) / few;
  }
};

}  // namespace shoal::internal::compat
