/// Rows of a matrix in symmetric memory, for variants that read them one-sided.
#pragma once

#include <algorithm>
#include <cstdint>

#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

/// A copy of the rows, where every PE can read them. Its constructor and `deallocate` are collective, and wait.
struct readable_rows {
  readable_rows(world& w, const sparse_matrix& rows)
      : offsets(w.allocate<std::int64_t>(w.max(rows.offsets.size()))),
        columns(w.allocate<std::int64_t>(w.max(rows.columns.size()))) {
    std::ranges::copy(rows.offsets, w.local(offsets).begin());
    std::ranges::copy(rows.columns, w.local(columns).begin());
    w.barrier();  // all rows are written before the first is read
  }

  // Collective: no PE frees its rows before all have read them.
  void deallocate(world& w) const {
    w.deallocate(columns);
    w.deallocate(offsets);
  }

  symmetric<std::int64_t> offsets;
  symmetric<std::int64_t> columns;
};

}  // namespace shoal::kernels
