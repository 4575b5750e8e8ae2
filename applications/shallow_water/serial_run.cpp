#include "applications/shallow_water/serial_run.hpp"

#include <algorithm>
#include <cmath>

namespace shoal::swe {
namespace {

// Cells from which part `k` of `n` begins.
std::size_t first_of(std::size_t k, std::size_t n, std::size_t n_cells) { return k * n_cells / n; }

// Calls `with(patch, side, neighbour)` for each side of each patch.
template <class With>
void for_each_side(const grid_size& n, With with) {
  for (std::size_t here = 0; here < n.n(); ++here) {
    for (const side at : all_sides) with(here, at, neighbour_of(here, at, n));
  }
}

}  // namespace

template <class Real>
serial_run<Real>::serial_run(const scenario& of, grid_size n_cells, grid_size n_patches, solver_kind solver,
                             instruction_set instructions)
    : scenario_(of), whole_(of.with_cells(n_cells.x, n_cells.y)), n_patches_(n_patches) {
  for (std::size_t y = 0; y < n_patches.y; ++y) {
    for (std::size_t x = 0; x < n_patches.x; ++x) {
      block part = {.first_x = first_of(x, n_patches.x, n_cells.x), .first_y = first_of(y, n_patches.y, n_cells.y)};
      part.n_x = first_of(x + 1, n_patches.x, n_cells.x) - part.first_x;
      part.n_y = first_of(y + 1, n_patches.y, n_cells.y) - part.first_y;
      start(patches_.emplace_back(whole_, part, constants_of<Real>(of), solver, instructions), of);
    }
  }
  exchange_beds();
}

template <class Real>
void serial_run<Real>::exchange_beds() {
  for_each_side(n_patches_, [&](std::size_t here, side at, std::optional<std::size_t> neighbour) {
    patch<Real>& own = patches_[here];
    if (!neighbour) return own.reflect_bed(at);
    std::vector<Real> border(own.part().length_of(at));
    patches_[*neighbour].read_bed_border(opposite(at), border);
    own.set_ghost_bed(at, border);
  });
}

template <class Real>
void serial_run<Real>::exchange_ghosts() {
  std::vector<Real> border;
  for_each_side(n_patches_, [&](std::size_t here, side at, std::optional<std::size_t> neighbour) {
    patch<Real>& own = patches_[here];
    if (!neighbour) return own.reflect(at, scenario_.boundary_at(at));
    border.resize(own.border_size(at));
    patches_[*neighbour].read_border(opposite(at), border);
    own.set_ghosts(at, border);
  });
}

template <class Real>
Real serial_run<Real>::solve() {
  exchange_ghosts();
  Real fastest = 0;
  for (patch<Real>& each : patches_) fastest = std::max(fastest, each.solve());
  return fastest;
}

template <class Real>
void serial_run<Real>::advance(Real dt) {
  for (patch<Real>& each : patches_) each.advance(dt);
  ++n_steps_;
}

template <class Real>
Real serial_run<Real>::step(Real dt) {
  const Real fastest = solve();
  advance(dt);
  time_ += static_cast<double>(dt);
  return fastest;
}

template <class Real>
void serial_run<Real>::run_with_fixed_step(double end) {
  Real fastest = 0;
  for (const patch<Real>& each : patches_) fastest = std::max(fastest, each.fastest_signal());
  if (end <= time_) return;
  const double n = fastest > 0 ? std::ceil((end - time_) / static_cast<double>(step_for(fastest, whole_))) : 1;
  const auto dt = static_cast<Real>((end - time_) / n);
  for (double k = 0; k < n; ++k) step(dt);
  time_ = end;
}

template <class Real>
void serial_run<Real>::run_with_adaptive_step(double end) {
  while (time_ < end) {
    const Real fastest = solve();
    const double most = fastest > 0 ? static_cast<double>(step_for(fastest, whole_)) : end - time_;
    const bool is_last = most >= end - time_;
    advance(static_cast<Real>(is_last ? end - time_ : most));
    time_ = is_last ? end : time_ + most;
  }
}

template <class Real>
cell_state<Real> serial_run<Real>::cell(std::size_t i, std::size_t j) const {
  const auto has_cell = [&](const patch<Real>& each) {
    const block& part = each.part();
    return i - part.first_x < part.n_x && j - part.first_y < part.n_y;
  };
  const patch<Real>& holder = *std::ranges::find_if(patches_, has_cell);
  return holder.cell(i - holder.part().first_x, j - holder.part().first_y);
}

template <class Real>
double serial_run<Real>::volume() const {
  fixed_sum sum;
  for (const patch<Real>& each : patches_) each.add_depths(sum);
  return sum.value() * whole_.dx() * whole_.dy();
}

template class serial_run<float>;
template class serial_run<double>;

}  // namespace shoal::swe
