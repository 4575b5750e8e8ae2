#include "applications/shallow_water/patch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shoal::swe {

namespace {

// Lines of `scratch_`: each three quantities of a row of edges.
enum scratch_line : std::size_t { from_left, from_right, from_below, next_from_below, from_above, n_scratch_lines };

}  // namespace

template <class Real>
patch<Real>::patch(const domain& whole, const block& part, const constants<Real>& given, solver_kind solver,
                   instruction_set instructions)
    : whole_(whole),
      part_(part),
      given_(given),
      edges_(edge_loop_of<Real>(solver, instructions)),
      cells_(cell_loops_of<Real>(instructions)),
      stride_(part.n_x + 2),
      fastest_(part.n_x + 1) {
  for (auto* quantity : {&h_, &hu_, &hv_, &b_}) quantity->resize(stride_ * (part.n_y + 2));
  for (auto* quantity : {&net_h_, &net_hu_, &net_hv_}) quantity->resize(part.n_cells());
  scratch_.resize(n_scratch_lines * 3 * (part.n_x + 1));
}

template <class Real>
void patch<Real>::set_cell(std::size_t i, std::size_t j, const cell_state<Real>& state) {
  const std::size_t at = place_of(i, j);
  const bool is_dry = state.h < given_.dry_depth;
  h_[at] = std::max(state.h, Real(0));
  hu_[at] = is_dry ? Real(0) : state.hu;
  hv_[at] = is_dry ? Real(0) : state.hv;
  b_[at] = state.b;
}

template <class Real>
typename patch<Real>::strip patch<Real>::border_of(side at) const {
  switch (at) {
    case side::left: return {place_of(0, 0), stride_, part_.n_y};
    case side::right: return {place_of(part_.n_x - 1, 0), stride_, part_.n_y};
    case side::bottom: return {place_of(0, 0), 1, part_.n_x};
    case side::top: return {place_of(0, part_.n_y - 1), 1, part_.n_x};
  }
  return {};
}

template <class Real>
typename patch<Real>::strip patch<Real>::ghosts_of(side at) const {
  strip found = border_of(at);
  switch (at) {
    case side::left: found.first -= 1; break;
    case side::right: found.first += 1; break;
    case side::bottom: found.first -= stride_; break;
    case side::top: found.first += stride_; break;
  }
  return found;
}

template <class Real>
void patch<Real>::read_border(side at, std::span<Real> to) const {
  const strip border = border_of(at);
  for (std::size_t k = 0; k < border.n; ++k) {
    const std::size_t from = border.first + k * border.step;
    to[k] = h_[from];
    to[border.n + k] = hu_[from];
    to[2 * border.n + k] = hv_[from];
  }
}

template <class Real>
void patch<Real>::set_ghosts(side at, std::span<const Real> from) {
  const strip ghosts = ghosts_of(at);
  for (std::size_t k = 0; k < ghosts.n; ++k) {
    const std::size_t to = ghosts.first + k * ghosts.step;
    h_[to] = from[k];
    hu_[to] = from[ghosts.n + k];
    hv_[to] = from[2 * ghosts.n + k];
  }
}

template <class Real>
void patch<Real>::reflect(side at, boundary kind) {
  const strip border = border_of(at);
  const strip ghosts = ghosts_of(at);
  const bool is_wall = kind == boundary::wall;
  const bool is_across_x = at == side::left || at == side::right;
  const Real sign_hu = is_wall && is_across_x ? Real(-1) : Real(1);
  const Real sign_hv = is_wall && !is_across_x ? Real(-1) : Real(1);
  for (std::size_t k = 0; k < border.n; ++k) {
    const std::size_t from = border.first + k * border.step;
    const std::size_t to = ghosts.first + k * ghosts.step;
    h_[to] = h_[from];
    hu_[to] = sign_hu * hu_[from];
    hv_[to] = sign_hv * hv_[from];
  }
}

template <class Real>
void patch<Real>::read_bed_border(side at, std::span<Real> to) const {
  const strip border = border_of(at);
  for (std::size_t k = 0; k < border.n; ++k) to[k] = b_[border.first + k * border.step];
}

template <class Real>
void patch<Real>::set_ghost_bed(side at, std::span<const Real> from) {
  const strip ghosts = ghosts_of(at);
  for (std::size_t k = 0; k < ghosts.n; ++k) b_[ghosts.first + k * ghosts.step] = from[k];
}

template <class Real>
void patch<Real>::reflect_bed(side at) {
  const strip border = border_of(at);
  const strip ghosts = ghosts_of(at);
  for (std::size_t k = 0; k < border.n; ++k) b_[ghosts.first + k * ghosts.step] = b_[border.first + k * border.step];
}

template <class Real>
update_line<Real> patch<Real>::scratch(std::size_t number) {
  const std::size_t length = part_.n_x + 1;
  Real* const first = scratch_.data() + number * 3 * length;
  return {first, first + length, first + 2 * length};
}

template <class Real>
Real patch<Real>::solve() {
  std::ranges::fill(fastest_, Real(0));
  const update_line<Real> to_right_cells = scratch(from_left);
  const update_line<Real> to_left_cells = scratch(from_right);
  const update_line<Real> to_lower_cells = scratch(from_above);
  update_line<Real> below = scratch(from_below);
  update_line<Real> next_below = scratch(next_from_below);
  const std::size_t n = part_.n_x;

  const auto solve_above = [&](std::size_t row, const update_line<Real>& to_upper_cells) {
    const std::size_t at = row * stride_ + 1;
    edges_(n, line_across_y(at), line_across_y(at + stride_), to_lower_cells, to_upper_cells, fastest_.data(), given_);
  };
  solve_above(0, below);
  for (std::size_t row = 1; row <= part_.n_y; ++row) {
    const std::size_t at = row * stride_;
    edges_(n + 1, line_across_x(at), line_across_x(at + 1), to_left_cells, to_right_cells, fastest_.data(), given_);
    solve_above(row, next_below);
    const update_line<Real> of_right_edges = {to_left_cells.h + 1, to_left_cells.normal + 1, to_left_cells.along + 1};
    const std::size_t net = (row - 1) * n;
    cells_.add_up(n, {to_right_cells, of_right_edges, below, to_lower_cells}, static_cast<Real>(1 / whole_.dx()),
                  static_cast<Real>(1 / whole_.dy()), {&net_h_[net], &net_hu_[net], &net_hv_[net]});
    std::swap(below, next_below);
  }
  return std::ranges::max(fastest_);
}

template <class Real>
void patch<Real>::advance(Real dt) {
  for (std::size_t j = 0; j < part_.n_y; ++j) {
    const std::size_t net = j * part_.n_x;
    const std::size_t at = place_of(0, j);
    cells_.advance(part_.n_x, {&net_h_[net], &net_hu_[net], &net_hv_[net]}, dt, given_.dry_depth,
                   {&h_[at], &hu_[at], &hv_[at]});
  }
}

template <class Real>
Real patch<Real>::fastest_signal() const {
  Real fastest = 0;
  for (std::size_t j = 0; j < part_.n_y; ++j) {
    for (std::size_t i = 0; i < part_.n_x; ++i) {
      const std::size_t at = place_of(i, j);
      if (h_[at] < given_.dry_depth) continue;
      const Real u = std::max(std::abs(hu_[at]), std::abs(hv_[at])) / h_[at];
      fastest = std::max(fastest, u + std::sqrt(given_.gravity * h_[at]));
    }
  }
  return fastest;
}

template <class Real>
void patch<Real>::add_depths(fixed_sum& sum) const {
  for (std::size_t j = 0; j < part_.n_y; ++j) {
    for (const Real h : row_of_h(j)) sum.add(static_cast<double>(h));
  }
}

template <class Real>
std::size_t patch<Real>::n_wet_cells() const {
  std::size_t n = 0;
  for (std::size_t j = 0; j < part_.n_y; ++j) {
    n += static_cast<std::size_t>(std::ranges::count_if(row_of_h(j), [&](Real h) { return h >= given_.dry_depth; }));
  }
  return n;
}

template class patch<float>;
template class patch<double>;

}  // namespace shoal::swe
