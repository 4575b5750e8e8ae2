/// What simulations of shallow water must end in: a run of one patch in one process.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "applications/shallow_water/serial_run.hpp"
#include "applications/swe/patch_state.hpp"
#include "applications/swe/simulation.hpp"

namespace shoal::test {

inline constexpr swe::form all_forms[] = {swe::form::actors, swe::form::bsp, swe::form::rpc};

template <class Real>
std::uint64_t expected_digest(const swe::simulation& what) {
  const swe::scenario its = what.its_scenario();
  swe::serial_run<Real> serial(its, {what.n_x, what.n_y}, {1, 1}, what.solver);
  if (what.steps == swe::step_rule::fixed) {
    serial.run_with_fixed_step(what.its_end_time());
  } else {
    serial.run_with_adaptive_step(what.its_end_time());
  }
  swe::state_sums sums;
  for (const swe::patch<Real>& each : serial.patches()) sums.add(each, its, what.its_end_time());
  return sums.digest;
}

/// All forms end in that state, bit by bit, and lazy ones, too. With steps that are one step behind, in that of supersteps on
/// one patch.
template <class Real>
void expect_same_bits(world& w, swe::simulation what) {
  std::uint64_t expected = 0;
  if (what.steps == swe::step_rule::behind) {
    swe::simulation uncut = what;
    uncut.patch_size = std::max(what.n_x, what.n_y);
    expected = swe::run<Real>(w, uncut, swe::form::bsp).digest;
  } else {
    expected = expected_digest<Real>(what);
  }
  for (const bool is_lazy : {false, true}) {
    what.is_lazy = is_lazy;
    for (const swe::form how : all_forms) {
      if (how == swe::form::rpc && what.steps != swe::step_rule::fixed) continue;
      what.balances = how == swe::form::actors && !is_lazy;
      const swe::run_report report = swe::run<Real>(w, what, how);
      EXPECT_EQ(report.digest, expected) << what.scenario_name << ", form " << static_cast<int>(how)
                                         << (is_lazy ? ", lazy" : "");
      // No wall lets water through. Waves by f_wave may empty a cell below no water, which adds some.
      const double rounding = static_cast<double>(4 * report.n_steps) * std::numeric_limits<Real>::epsilon();
      if (what.solver != swe::solver_kind::f_wave) {
        EXPECT_NEAR(report.volume_after, report.volume_before, rounding * report.volume_before);
      }
      if (!is_lazy) {
        EXPECT_EQ(report.computed.n_patch_steps, report.n_patches * report.n_steps);
      }
      EXPECT_LE(report.computed.n_patch_steps, report.n_patches * report.n_steps);
    }
  }
}

}  // namespace shoal::test
