/// A rectangular part of the grid, with the cells that surround it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "applications/shallow_water/cell_loop.hpp"
#include "applications/shallow_water/constants.hpp"
#include "applications/shallow_water/edge_loop.hpp"
#include "applications/shallow_water/fixed_sum.hpp"
#include "applications/shallow_water/geometry.hpp"

namespace shoal::swe {

/// Averages over one cell: depth, momenta and height of the bed.
template <class Real>
struct cell_state {
  Real h = 0;
  Real hu = 0;
  Real hv = 0;
  Real b = 0;

  friend bool operator==(const cell_state&, const cell_state&) = default;
};

/// The cells of a block and one layer of ghost cells around them, without corners. A time step is:
///
///     fill the ghosts of each side: set_ghosts with the neighbour's border, or reflect at the end of the domain
///     solve(), and a time step not longer than the fastest wave allows
///     advance(dt)
///
/// The ghosts' bed must be there before the first step: set_ghost_bed, or reflect_bed.
///
/// A cell gets the same bits whatever patch it is in: both patches at an edge solve it with the same arguments in the
/// same order, and what the edges of a cell find is added in the same order. Only maxima and exact sums go over all
/// cells.
///
/// Cells count from 0, along x first. Rows of cells are contiguous.
template <class Real>
class patch {
public:
  /// All cells are dry, on a bed of height 0.
  patch(const domain& whole, const block& part, const constants<Real>& given, solver_kind solver,
        instruction_set instructions = best_instruction_set());

  const domain& whole() const { return whole_; }
  const block& part() const { return part_; }
  const constants<Real>& given() const { return given_; }

  /// The centre of a cell.
  double x_of(std::size_t i) const { return whole_.x_of(part_.first_x + i); }
  double y_of(std::size_t j) const { return whole_.y_of(part_.first_y + j); }

  cell_state<Real> cell(std::size_t i, std::size_t j) const { return state_at(place_of(i, j)); }

  /// A depth below zero becomes zero, and a dry cell gets no momentum.
  void set_cell(std::size_t i, std::size_t j, const cell_state<Real>& state);

  /// Quantities of row `j`, for output.
  std::span<const Real> row_of_h(std::size_t j) const { return row(h_, j); }
  std::span<const Real> row_of_hu(std::size_t j) const { return row(hu_, j); }
  std::span<const Real> row_of_hv(std::size_t j) const { return row(hv_, j); }
  std::span<const Real> row_of_b(std::size_t j) const { return row(b_, j); }

  /// Numbers that a border or the ghosts of a side consist of: h of all cells along it, then hu, then hv.
  std::size_t border_size(side at) const { return 3 * part_.length_of(at); }

  /// Reads the outermost cells of a side. `to` has `border_size` numbers.
  void read_border(side at, std::span<Real> to) const;

  /// Sets the ghosts of a side from the border of the neighbour there.
  void set_ghosts(side at, std::span<const Real> from);

  /// Sets the ghosts of a side from the cells before them.
  void reflect(side at, boundary kind);

  /// The same for the bed, one number per cell.
  void read_bed_border(side at, std::span<Real> to) const;
  void set_ghost_bed(side at, std::span<const Real> from);
  void reflect_bed(side at);

  /// Solves all edges. Returns the largest wave speed.
  Real solve();

  /// Subtracts `dt` times what the last `solve` found.
  void advance(Real dt);

  /// What has changed since the start, written or read by an archive. `is_solved`: between `solve` and `advance`.
  void serialize_state(auto& archive, bool is_solved) {
    archive(h_, hu_, hv_);
    if (is_solved) archive(net_h_, net_hu_, net_hv_);
  }

  /// The largest speed of a small wave, |u| + sqrt(g h), of all wet cells in x or y; 0 if all are dry.
  Real fastest_signal() const;

  /// Adds the depths of all cells to `sum`. Times the area of a cell, that is the volume of water.
  void add_depths(fixed_sum& sum) const;

  /// Numbers that a patch holds, for those who plan its memory.
  static constexpr std::size_t n_numbers_of(const block& part) {
    return 4 * (part.n_x + 2) * (part.n_y + 2) + 3 * part.n_cells();
  }

  std::size_t n_cells() const { return part_.n_cells(); }
  std::size_t n_wet_cells() const;

  /// Edges that `solve` solves: those between cells of this patch, and those to its ghosts.
  std::size_t n_edges() const { return (part_.n_x + 1) * part_.n_y + part_.n_x * (part_.n_y + 1); }

private:
  // A line of cells or ghosts along a side.
  struct strip {
    std::size_t first;
    std::size_t step;
    std::size_t n;
  };

  std::size_t place_of(std::size_t i, std::size_t j) const { return (j + 1) * stride_ + i + 1; }
  cell_state<Real> state_at(std::size_t at) const { return {h_[at], hu_[at], hv_[at], b_[at]}; }
  std::span<const Real> row(const std::vector<Real>& of, std::size_t j) const {
    return std::span(of).subspan(place_of(0, j), part_.n_x);
  }
  strip border_of(side at) const;
  strip ghosts_of(side at) const;
  cell_line<Real> line_across_x(std::size_t at) const { return {&h_[at], &hu_[at], &hv_[at], &b_[at]}; }
  cell_line<Real> line_across_y(std::size_t at) const { return {&h_[at], &hv_[at], &hu_[at], &b_[at]}; }
  update_line<Real> scratch(std::size_t number);

  domain whole_;
  block part_;
  constants<Real> given_;
  edge_loop<Real> edges_;
  cell_loops<Real> cells_;
  std::size_t stride_;  // from a row to the next
  std::vector<Real> h_, hu_, hv_, b_;  // with ghosts
  std::vector<Real> net_h_, net_hu_, net_hv_;  // without
  std::vector<Real> scratch_;  // what edges of a row find
  std::vector<Real> fastest_;  // at the edges of a column, the larger of both directions
};

extern template class patch<float>;
extern template class patch<double>;

}  // namespace shoal::swe
