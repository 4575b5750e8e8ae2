/// Loops over lines of cells: they add up what edges found, and advance the cells.
#pragma once

#include "applications/shallow_water/edge_loop.hpp"

namespace shoal::swe {

/// The four edges of a line of cells: what each edge does to these cells.
template <class Real>
struct edges_around {
  update_line<Real> left;
  update_line<Real> right;
  update_line<Real> below;
  update_line<Real> above;
};

template <class Real>
struct cell_loops {
  /// Sets `net` of `n` cells from their edges, always in the same order: across x, across y, then their sum. `normal`
  /// and `along` of `net` are the momenta in x and y.
  void (*add_up)(std::size_t n, const edges_around<Real>& edges, Real per_dx, Real per_dy,
                 const update_line<Real>& net);

  /// Subtracts `dt` times `net` from the cells. A cell with less than `dry_depth` loses its momentum, and one that
  /// would have less than no water has none.
  void (*advance)(std::size_t n, const update_line<Real>& net, Real dt, Real dry_depth, const update_line<Real>& cells);
};

template <class Real>
cell_loops<Real> cell_loops_of(instruction_set set);

/// Operations of both loops for one cell, counted as in edge_loop.hpp.
inline constexpr int flops_per_cell = 3 * 5 + 3 * 2;

}  // namespace shoal::swe
