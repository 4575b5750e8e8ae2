/// A simulation in one process: a scenario on a grid of patches.
#pragma once

#include <cstddef>
#include <vector>

#include "applications/shallow_water/patch.hpp"
#include "applications/shallow_water/scenario.hpp"

namespace shoal::swe {

/// How much of a cell the fastest wave may cross in a step. Cells gain from four sides at once, so it must be below
/// 1/2.
inline constexpr double courant_number = 0.4;

/// The longest step for waves of this speed.
template <class Real>
Real step_for(Real fastest, const domain& whole) {
  return static_cast<Real>(courant_number * (whole.dx() < whole.dy() ? whole.dx() : whole.dy())) / fastest;
}

/// The state does not depend on `n_patches`: same bits, whatever it is.
template <class Real>
class serial_run {
public:
  /// Patches differ by a cell where `n_patches` does not divide `n_cells`.
  serial_run(const scenario& of, grid_size n_cells, grid_size n_patches, solver_kind solver,
             instruction_set instructions = best_instruction_set());

  /// Runs until `end` in equal steps, the longest that the waves at the start allow. Waves that get faster than that
  /// make it unstable.
  void run_with_fixed_step(double end);

  /// Runs until `end`; each step is the longest that its fastest wave allows.
  void run_with_adaptive_step(double end);

  /// One step. Returns the fastest wave that it met.
  Real step(Real dt);

  double time() const { return time_; }
  std::size_t n_steps() const { return n_steps_; }
  const domain& whole() const { return whole_; }
  const std::vector<patch<Real>>& patches() const { return patches_; }

  /// A cell of the domain.
  cell_state<Real> cell(std::size_t i, std::size_t j) const;

  /// Cubic metres of water.
  double volume() const;

private:
  void exchange_ghosts();
  void exchange_beds();
  Real solve();
  void advance(Real dt);

  scenario scenario_;
  domain whole_;
  grid_size n_patches_;
  std::vector<patch<Real>> patches_;  // along x first
  double time_ = 0;
  std::size_t n_steps_ = 0;
};

extern template class serial_run<float>;
extern template class serial_run<double>;

}  // namespace shoal::swe
