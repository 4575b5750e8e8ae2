/// What all forms have in common: a patch of a simulation, its start, and what it adds to the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "applications/shallow_water/fixed_sum.hpp"
#include "applications/shallow_water/patch.hpp"
#include "applications/swe/simulation.hpp"

namespace shoal::swe {

/// Sums over the patches of a PE that do not depend on their order.
struct state_sums {
  fixed_sum depths;
  fixed_sum errors;
  std::uint64_t digest = 0;

  template <class Real>
  void add(const patch<Real>& of, const scenario& its, double time);
};

/// A patch that steps when its ghosts are there.
template <class Real>
class patch_state {
public:
  /// Patch `number` at the start. `shown`: whom it tells how far it is, or null.
  patch_state(const simulation& what, std::size_t number, run_progress* shown = nullptr);

  const std::vector<side>& inner_sides() const { return inner_; }  // beyond which there is a neighbour
  void read_border(side at, std::vector<Real>& to) const {
    to.resize(3 * part_.length_of(at));
    if (charged_ns_ == 0) cells_.read_border(at, to);
  }
  /// The neighbour's border for the next step.
  void set_ghosts(side at, std::span<const Real> from);

  /// The first half of a step, once the ghosts of all inner sides are set. Returns the fastest wave.
  Real solve();
  /// The second half. Writes the frame that is due.
  void advance(const time_step& step);
  std::uint64_t n_steps() const { return n_steps_; }

  /// For a patch that moves to another PE, where it is made anew.
  void serialize_state(auto& archive, bool is_solved) {
    cells_.serialize_state(archive, is_solved);
    archive(rest_, speed_at_rest_, n_steps_, time_, frames_, computed_);
  }

  const patch<Real>& cells() const { return cells_; }
  const run_counts& computed() const { return computed_; }
  std::size_t number() const { return number_; }
  const std::vector<double>& frame_times() const { return frames_.times(); }

private:
  std::vector<Real> bed_beyond(side at) const;

  const std::size_t number_;
  scenario its_;
  const block part_;
  const double charged_ns_;  // of a step; 0: it computes
  patch<Real> cells_;
  std::vector<side> inner_;
  std::vector<side> outer_;
  // If it may rest: each of its cells, on a flat bed. Water that equals its surroundings everywhere does not change, bit by
  // bit, since equal states exchange nothing.
  std::optional<cell_state<Real>> rest_;
  Real speed_at_rest_ = -1;  // what `solve` returns as long as it rests; below 0: not known yet
  std::uint64_t n_steps_ = 0;
  double time_ = 0;
  const double end_;
  patch_frames<Real> frames_;
  run_progress* const shown_;
  run_counts computed_;
};

/// The plan of a simulation. Collective: each PE looks at a part of the patches.
template <class Real>
step_plan plan_of(world& w, const simulation& what);

/// The steps of a simulation, one after the other: whoever has the fastest waves of all patches has the same.
template <class Real>
class step_clock {
public:
  step_clock(const simulation& what, const step_plan& plan)
      : rule_(what.steps), whole_(what.whole()), end_(what.its_end_time()), plan_(plan) {}

  /// The next step. `fastest`: of the step itself if the rule is `exact`, of the one before if it is `behind`.
  time_step next(Real fastest);

  void serialize(auto& archive) { archive(time_, n_steps_); }

private:
  const step_rule rule_;
  const domain whole_;
  const double end_;
  const step_plan plan_;
  double time_ = 0;
  std::uint64_t n_steps_ = 0;
};

/// The patches of a PE, in blocks.
struct patch_range {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool has(std::size_t number) const { return number >= begin && number < end; }
};
inline patch_range patches_of(const world& w, pe_id pe, std::size_t n) {
  const auto n_pes = static_cast<std::size_t>(w.n_pes());
  const auto its = static_cast<std::size_t>(pe);
  return {its * n / n_pes, (its + 1) * n / n_pes};
}
inline pe_id owner_of(const world& w, std::size_t number, std::size_t n) {
  auto pe = static_cast<pe_id>((number * static_cast<std::size_t>(w.n_pes())) / n);
  while (number >= patches_of(w, pe, n).end) ++pe;
  while (number < patches_of(w, pe, n).begin) --pe;
  return pe;
}

}  // namespace shoal::swe
