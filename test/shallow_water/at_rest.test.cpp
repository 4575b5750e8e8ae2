// Goal: water at rest stays at rest to rounding, over wet and dry beds, with walls; and closed basins keep their water.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "applications/shallow_water/serial_run.hpp"

namespace {

using namespace shoal::swe;

template <class Real>
class shallow_water_at_rest : public testing::Test {};
using rest_types = testing::Types<float, double>;
TYPED_TEST_SUITE(shallow_water_at_rest, rest_types);

template <class Real>
struct motion {
  double depth = 0;
  double momentum = 0;
};

template <class Real>
motion<Real> motion_of(const serial_run<Real>& of, const scenario& from) {
  motion<Real> most;
  for (std::size_t j = 0; j < of.whole().n_y; ++j) {
    for (std::size_t i = 0; i < of.whole().n_x; ++i) {
      const cell_state<Real> now = of.cell(i, j);
      const double before = from.start(of.whole().x_of(i), of.whole().y_of(j)).h;
      most.depth = std::max(most.depth, std::abs(static_cast<double>(now.h) - before));
      most.momentum =
          std::max({most.momentum, static_cast<double>(std::abs(now.hu)), static_cast<double>(std::abs(now.hv))});
    }
  }
  return most;
}

TYPED_TEST(shallow_water_at_rest, water_stays_at_rest) {
  for (const solver_kind kind : all_solver_kinds) {
    for (const double level : {0.0, 0.7}) {
      for (const scenario& from : {lake_at_rest(level), island_at_rest(level)}) {
        SCOPED_TRACE(from.name + " at " + std::to_string(level) + ", " + to_text(kind));
        serial_run<TypeParam> run(from, {40, 40}, {1, 1}, kind);
        const std::size_t n_wet = run.patches()[0].n_wet_cells();
        ASSERT_GT(n_wet, 200U);
        ASSERT_LT(n_wet, 1500U) << "some ground is dry";
        run.run_with_adaptive_step(from.end_time);
        EXPECT_GT(run.n_steps(), 40U);
        const auto found = motion_of(run, from);
        // Rounding of depths near 1 m, of forces near g times that, for a few steps each.
        constexpr double epsilon = std::numeric_limits<TypeParam>::epsilon();
        EXPECT_LT(found.depth, 20 * epsilon);
        EXPECT_LT(found.momentum, 50 * epsilon);
      }
    }
  }
}

TYPED_TEST(shallow_water_at_rest, closed_basins_keep_their_water) {
  constexpr double epsilon = std::numeric_limits<TypeParam>::epsilon();
  for (const solver_kind kind : all_solver_kinds) {
    for (const char* name : {"symmetric_dam_break", "pool_drop", "multi_drop", "half_land"}) {
      SCOPED_TRACE(std::string(name) + ", " + to_text(kind));
      const scenario from = scenario_of(name, 60, 40);
      serial_run<TypeParam> run(from, {60, 40}, {1, 1}, kind);
      const double before = run.volume();
      run.run_with_adaptive_step(20);
      EXPECT_GT(run.n_steps(), 50U);
      // Each cell's rounding has its own sign.
      EXPECT_NEAR(run.volume() / before, 1, 4 * epsilon);
    }
  }
}

// Fronts flood and fall dry all the time. The f-wave solver empties cells that would get less than no water.
TYPED_TEST(shallow_water_at_rest, moving_shores_keep_their_water) {
  constexpr double epsilon = std::numeric_limits<TypeParam>::epsilon();
  for (const solver_kind kind : all_solver_kinds) {
    for (const scenario& from : {thacker_planar(), thacker_radial()}) {
      SCOPED_TRACE(from.name + std::string(", ") + to_text(kind));
      serial_run<TypeParam> run(from, {64, 64}, {1, 1}, kind);
      const double before = run.volume();
      run.run_with_adaptive_step(from.end_time);
      const double change = run.volume() / before - 1;
      std::printf("%s, %s: %.1e of the water gained\n", from.name.c_str(), to_text(kind), change);
      if (kind == solver_kind::f_wave) {
        EXPECT_NEAR(change, 0, 5e-3);
      } else {
        EXPECT_NEAR(change, 0, 20 * epsilon);
      }
    }
  }
}

}  // namespace
