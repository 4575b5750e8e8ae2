/// Sparse matrices of the comparators: random patterns, rows dealt out cyclically.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "comparators/support/random.hpp"

namespace comparators {

/// Row or column g belongs to PE g % P, as its g / P-th.
struct cyclic {
  std::int64_t n = 0;
  int n_pes = 1;

  int owner(std::int64_t g) const { return static_cast<int>(g % n_pes); }
  std::int64_t local(std::int64_t g) const { return g / n_pes; }
  std::int64_t global(int pe, std::int64_t local) const { return local * n_pes + pe; }
  std::int64_t n_local(int pe) const { return (n - pe + n_pes - 1) / n_pes; }
  /// Of the PE that has most.
  std::int64_t n_local_most() const { return (n + n_pes - 1) / n_pes; }
};

/// One PE's rows of a matrix, in compressed form. Columns ascend in each row where a function says so.
struct sparse_rows {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int64_t> columns = {};

  std::int64_t n_rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::span<const std::int64_t> row(std::int64_t r) const {
    const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(r)]);
    return std::span(columns).subspan(begin,
                                      static_cast<std::size_t>(offsets[static_cast<std::size_t>(r) + 1]) - begin);
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(columns.size())); }
};

/// An Erdős–Rényi pattern: each entry of row r below `end` is there with probability p; all are if p is 1 or more. Skips
/// from one to the next (Batagelj and Brandes, "Efficient generation of large random networks", 2005). Calls use(column),
/// ascending.
template <class Use>
void for_each_random_column(std::uint64_t seed, std::int64_t r, std::int64_t end, double p, Use use) {
  random_sequence random(seed, static_cast<std::uint64_t>(r));
  const double scale = 1 / std::log1p(-std::min(p, 1.0));  // 1 / -inf: skips none
  for (double column = std::floor(std::log(random.uniform()) * scale); column < static_cast<double>(end);
       column += 1 + std::floor(std::log(random.uniform()) * scale)) {
    use(static_cast<std::int64_t>(column));
  }
}

/// A checksum that does not depend on the order of entries.
inline std::uint64_t entry_sum(std::int64_t row, std::int64_t column) {
  return mixed(mixed(static_cast<std::uint64_t>(row)) ^ static_cast<std::uint64_t>(column));
}

}  // namespace comparators
