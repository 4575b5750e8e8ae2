// Goal: scenarios are what their descriptions say, and exact solutions begin as the scenarios do and obey the
// equations.
#include "applications/shallow_water/scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace {

using namespace shoal::swe;

TEST(shallow_water_scenario, basins_have_the_proportions_of_the_grid) {
  const scenario of = symmetric_dam_break(60, 40, 1);
  EXPECT_EQ(of.x_end, 300);
  EXPECT_EQ(of.y_end, 200);
  EXPECT_EQ(of.depth_at_rest, 10);
  EXPECT_EQ(of.start(45, 100).h, 15);
  EXPECT_EQ(of.start(46, 100).h, 10);
  EXPECT_EQ(of.start(254, 100).h, 10);
  EXPECT_EQ(of.start(255, 100).h, 15);

  const scenario pool = pool_drop(60, 40, 1);
  EXPECT_EQ(pool.start(30 + 39, 20).h, 12);
  EXPECT_EQ(pool.start(30 + 41, 20).h, 10);

  const scenario drops = multi_drop(60, 40, 1);
  for (const double x : {5.0, 295.0}) {
    for (const double y : {5.0, 195.0}) EXPECT_EQ(drops.start(x, y).h, 15);
  }
  EXPECT_EQ(drops.start(29, 19).h, 10) << "outside the ellipse of 30 by 20 m";
  EXPECT_EQ(drops.start(150 + 29, 100 - 19).h, 15);
  EXPECT_EQ(drops.start(150 + 31, 100).h, 10);

  const scenario half = half_land(60, 40, 1);
  EXPECT_EQ(half.start(150 + 59, 50).h, 15);
  EXPECT_EQ(half.start(150 + 61, 50).h, 10);
  EXPECT_EQ(half.start(10, 99).b, 0);
  EXPECT_EQ(half.start(10, 101).h, 0);
  EXPECT_EQ(half.start(10, 101).b, 30);
}

TEST(shallow_water_scenario, names_find_scenarios) {
  EXPECT_EQ(scenario_names().size(), 11U);
  for (const std::string& name : scenario_names()) EXPECT_EQ(scenario_of(name, 4, 4).name, name);
  EXPECT_THROW(scenario_of("tsunami", 4, 4), std::invalid_argument);
}

TEST(shallow_water_scenario, exact_solutions_begin_as_the_scenario) {
  for (const std::string& name : scenario_names()) {
    SCOPED_TRACE(name);
    const scenario of = scenario_of(name, 4, 4);
    if (!of.exact) continue;
    for (double part_x = 0.03; part_x < 1; part_x += 0.11) {
      for (double part_y = 0.05; part_y < 1; part_y += 0.13) {
        const double x = of.x_begin + part_x * (of.x_end - of.x_begin);
        const double y = of.y_begin + part_y * (of.y_end - of.y_begin);
        const auto start = of.start(x, y);
        const auto exact = of.exact(x, y, 0);
        EXPECT_NEAR(start.h, exact.h, 1e-12);
        EXPECT_NEAR(start.hu, exact.hu, 1e-12);
        EXPECT_NEAR(start.hv, exact.hv, 1e-12);
        EXPECT_EQ(start.b, exact.b);
      }
    }
  }
}

// d/dt h + d/dx hu + d/dy hv = 0, and the same for both momenta with the force of the bed, by central differences.
void expect_balance(const scenario& of, double x, double y, double t) {
  constexpr double d = 1e-5;
  struct fluxes {
    double h, hu, hv;
  };
  const auto state = [&](double at_x, double at_y, double at_t) { return of.exact(at_x, at_y, at_t); };
  const auto across_x = [&](double at_x) -> fluxes {
    const auto s = state(at_x, y, t);
    return {s.hu, s.hu * s.hu / s.h + standard_gravity / 2 * s.h * s.h, s.hu * s.hv / s.h};
  };
  const auto across_y = [&](double at_y) -> fluxes {
    const auto s = state(x, at_y, t);
    return {s.hv, s.hu * s.hv / s.h, s.hv * s.hv / s.h + standard_gravity / 2 * s.h * s.h};
  };
  const auto later = state(x, y, t + d);
  const auto before = state(x, y, t - d);
  const fluxes right = across_x(x + d), left = across_x(x - d), up = across_y(y + d), down = across_y(y - d);
  const double force = -standard_gravity * state(x, y, t).h / (2 * d);
  const double slope_x = state(x + d, y, t).b - state(x - d, y, t).b;
  const double slope_y = state(x, y + d, t).b - state(x, y - d, t).b;
  const double per = 1 / (2 * d);
  EXPECT_NEAR((later.h - before.h) * per + (right.h - left.h) * per + (up.h - down.h) * per, 0, 1e-6);
  EXPECT_NEAR((later.hu - before.hu) * per + (right.hu - left.hu) * per + (up.hu - down.hu) * per, force * slope_x,
              1e-6);
  EXPECT_NEAR((later.hv - before.hv) * per + (right.hv - left.hv) * per + (up.hv - down.hv) * per, force * slope_y,
              1e-6);
}

TEST(shallow_water_scenario, exact_solutions_obey_the_equations) {
  int n_points = 0;
  for (const scenario& of : {thacker_planar(), thacker_radial(), stoker_dam_break(), ritter_dam_break()}) {
    SCOPED_TRACE(of.name);
    for (double t = 0.21; t < of.end_time; t += 0.37) {
      for (double x = -1.37; x < 1.4; x += 0.11) {
        for (double y = -1.19; y < 1.4; y += 0.23) {
          if (of.exact(x, y, t).h < 0.01) continue;
          expect_balance(of, x, y, t);
          ++n_points;
        }
      }
    }
  }
  EXPECT_GT(n_points, 1000);
}

}  // namespace
