// Goal: what must hold for any approximate Riemann solver, on random states, and what the exact solution says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "applications/shallow_water/riemann/middle_state.hpp"
#include "test/shallow_water/states.hpp"

namespace {

using namespace shoal::swe;
using test::cell;
using test::random_cells;
using test::solve_edge;

template <class Real>
class shallow_water_solvers : public testing::Test {};
using real_types = testing::Types<float, double>;
TYPED_TEST_SUITE(shallow_water_solvers, real_types);

constexpr int n_states = 20'000;

template <class Real>
struct flux {
  Real h, normal, along;
};

// Of a cell that is wet.
template <class Real>
flux<Real> flux_of(const cell<Real>& of) {
  const Real u = of.normal / of.h;
  return {of.normal, of.normal * u + Real(standard_gravity) / 2 * of.h * of.h, u * of.along};
}

// What rounding may make of terms of this size.
template <class Real>
Real rounding(Real size) {
  return 64 * std::numeric_limits<Real>::epsilon() * size;
}

TYPED_TEST(shallow_water_solvers, equal_cells_exchange_nothing) {
  random_cells<TypeParam> states(1);
  for (int i = 0; i < n_states; ++i) {
    const auto state = states.any();
    for (const solver_kind kind : all_solver_kinds) {
      const auto found = solve_edge(kind, state, state);
      ASSERT_TRUE(test::same(found.left, {})) << to_text(kind) << ' ' << test::text_of(state);
      ASSERT_TRUE(test::same(found.right, {})) << to_text(kind) << ' ' << test::text_of(state);
    }
  }
}

TYPED_TEST(shallow_water_solvers, mirrored_cells_get_mirrored_updates) {
  random_cells<TypeParam> states(2);
  for (int i = 0; i < n_states; ++i) {
    const auto left = states.any();
    const auto right = states.any();
    const cell<TypeParam> mirrored_left = {right.h, -right.normal, right.along, right.bed};
    const cell<TypeParam> mirrored_right = {left.h, -left.normal, left.along, left.bed};
    for (const solver_kind kind : all_solver_kinds) {
      const auto found = solve_edge(kind, left, right);
      const auto mirrored = solve_edge(kind, mirrored_left, mirrored_right);
      ASSERT_TRUE(test::same(found.left, {mirrored.right.h, -mirrored.right.normal, mirrored.right.along}))
          << to_text(kind) << ' ' << test::text_of(left, right);
      ASSERT_TRUE(test::same(found.right, {mirrored.left.h, -mirrored.left.normal, mirrored.left.along}))
          << to_text(kind) << ' ' << test::text_of(left, right);
      ASSERT_EQ(found.fastest, mirrored.fastest);
    }
  }
}

TYPED_TEST(shallow_water_solvers, updates_add_up_to_the_difference_of_the_fluxes) {
  random_cells<TypeParam> states(3);
  for (int i = 0; i < n_states; ++i) {
    const auto left = states.wet_on_flat_bed();
    const auto right = states.wet_on_flat_bed();
    const auto before = flux_of(left);
    const auto after = flux_of(right);
    for (const solver_kind kind : all_solver_kinds) {
      SCOPED_TRACE(to_text(kind));
      const auto found = solve_edge(kind, left, right);
      const TypeParam c2 = found.fastest * found.fastest * std::max(left.h, right.h);
      ASSERT_NEAR(found.left.h + found.right.h, after.h - before.h, rounding(c2 / found.fastest));
      ASSERT_NEAR(found.left.normal + found.right.normal, after.normal - before.normal, rounding(c2));
      ASSERT_NEAR(found.left.along + found.right.along, after.along - before.along, rounding(c2));
    }
  }
}

// Also over a step of the bed, and on a shore: water neither comes nor goes.
TYPED_TEST(shallow_water_solvers, keep_the_water) {
  random_cells<TypeParam> states(4);
  for (int i = 0; i < n_states; ++i) {
    const auto left = states.any();
    const auto right = states.any();
    for (const solver_kind kind : all_solver_kinds) {
      const auto found = solve_edge(kind, left, right);
      const TypeParam size = std::max(found.fastest, TypeParam(1)) * std::max(left.h, right.h);
      ASSERT_NEAR(found.left.h + found.right.h, right.normal - left.normal, rounding(size))
          << to_text(kind) << ' ' << test::text_of(left, right);
    }
  }
}

// A shock alone is a discontinuity that moves with Roe's speed, so that all three solvers know it exactly.
TYPED_TEST(shallow_water_solvers, move_a_single_shock_exactly) {
  random_cells<TypeParam> states(5);
  for (int i = 0; i < 2000; ++i) {
    const TypeParam h_left = states.between(1, 5);
    const TypeParam h_right = h_left * states.between(0.2, 0.9);
    const TypeParam u_right = states.between(-1, 1);
    const TypeParam change =
        (h_left - h_right) * std::sqrt(TypeParam(standard_gravity) / 2 * (1 / h_left + 1 / h_right));
    const TypeParam u_left = u_right + change;
    const TypeParam speed = (h_left * u_left - h_right * u_right) / (h_left - h_right);
    for (const solver_kind kind : all_solver_kinds) {
      SCOPED_TRACE(to_text(kind));
      const auto found =
          solve_edge<TypeParam>(kind, {h_left, h_left * u_left, 0, 0}, {h_right, h_right * u_right, 0, 0});
      const TypeParam size = 100 * h_left;
      ASSERT_NEAR(found.left.h, 0, rounding(size));
      ASSERT_NEAR(found.left.normal, 0, rounding(size * 10));
      ASSERT_NEAR(found.right.h, speed * (h_right - h_left), rounding(size));
      ASSERT_GE(found.fastest, speed - rounding(size));
    }
  }
}

// Where all waves go one way, the other cell notices nothing.
TYPED_TEST(shallow_water_solvers, change_nothing_upstream_of_rapid_flow) {
  random_cells<TypeParam> states(6);
  for (int i = 0; i < 2000; ++i) {
    const TypeParam h = states.between(0.5, 2);
    const TypeParam rapid = 3 * std::sqrt(TypeParam(standard_gravity) * 2);
    const cell<TypeParam> left = {h, h * rapid, h, 0};
    const TypeParam h_right = h * states.between(0.9, 1.1);
    const cell<TypeParam> right = {h_right, h_right * rapid, 0, 0};
    for (const solver_kind kind : all_solver_kinds) {
      ASSERT_TRUE(test::same(solve_edge(kind, left, right).left, {})) << to_text(kind);
    }
  }
}

// Ritter's front is twice as fast as waves. A step that did not know would let it run past a cell.
TYPED_TEST(shallow_water_solvers, know_how_fast_a_front_on_dry_ground_is) {
  const cell<TypeParam> wet = {4, 2, 0, 0};
  const cell<TypeParam> dry = {};
  const TypeParam front = TypeParam(0.5) + 2 * std::sqrt(TypeParam(standard_gravity) * 4);
  for (const solver_kind kind : {solver_kind::hlle, solver_kind::augmented}) {
    EXPECT_NEAR(solve_edge(kind, wet, dry).fastest, front, rounding(front)) << to_text(kind);
  }
}

// Discharge and energy are the same on both sides, as in a flow over a step without losses.
TEST(shallow_water_augmented_solver, keeps_a_steady_flow_over_a_step) {
  for (const double froude : {0.0, 0.3, -0.6, 1.5, -2.5}) {
    for (const double step : {0.02, -0.02}) {
      SCOPED_TRACE(std::to_string(froude) + ", " + std::to_string(step));
      const double discharge = froude * std::sqrt(standard_gravity);
      const auto energy = [&](double h) { return discharge * discharge / (2 * h * h) + standard_gravity * h; };
      double h = 1;
      for (int i = 0; i < 50; ++i) {  // Newton
        const double slope = standard_gravity - discharge * discharge / (h * h * h);
        h -= (energy(h) + standard_gravity * step - energy(1)) / slope;
      }
      const auto found = solve_edge<double>(solver_kind::augmented, {1, discharge, 0, 0}, {h, discharge, 0, step});
      for (const auto& side : {found.left, found.right}) {
        EXPECT_NEAR(side.h, 0, 1e-13);
        EXPECT_NEAR(side.normal, 0, 1e-13);
      }
    }
  }
}

// The flux at the edge differs from the exact one by a part that vanishes as the square of the jump.
TEST(shallow_water_solvers_and_exact_solution, agree_on_weak_waves) {
  random_cells<double> states(7);
  for (int i = 0; i < 2000; ++i) {
    const double h = states.between(1, 5);
    const double c = std::sqrt(standard_gravity * h);
    const double u = c * states.between(-0.7, 0.7);
    const double jump_h = states.between(-1, 1) * h;
    const double jump_u = states.between(-1, 1) * c;
    for (const solver_kind kind : all_solver_kinds) {
      SCOPED_TRACE(to_text(kind));
      for (const double size : {1e-2, 1e-3}) {
        const double h_right = h + size * jump_h;
        const double u_right = u + size * jump_u;
        const auto exact = riemann::state_on_ray(h, u, h_right, u_right, 0.0, standard_gravity);
        const auto found = solve_edge<double>(kind, {h, h * u, 0, 0}, {h_right, h_right * u_right, 0, 0});
        ASSERT_NEAR(h * u + found.left.h, exact.h * exact.u, 2 * c * h * size * size);
        const double flux_exact = exact.h * exact.u * exact.u + standard_gravity / 2 * exact.h * exact.h;
        const double flux_left = h * u * u + standard_gravity / 2 * h * h;
        ASSERT_NEAR(flux_left + found.left.normal, flux_exact, 4 * c * c * h * size * size);
      }
    }
  }
}

// Measured: 0.21 (HLLE), 0.17 (f-wave) and 0.21 (augmented).
TEST(shallow_water_solvers_and_exact_solution, agree_roughly_on_strong_waves) {
  random_cells<double> states(8);
  double worst[3] = {};
  for (int i = 0; i < n_states; ++i) {
    const auto left = states.wet_on_flat_bed();
    const auto right = states.wet_on_flat_bed();
    const auto exact =
        riemann::state_on_ray(left.h, left.normal / left.h, right.h, right.normal / right.h, 0.0, standard_gravity);
    for (const solver_kind kind : all_solver_kinds) {
      const auto found = solve_edge(kind, left, right);
      const double error =
          std::abs(left.normal + found.left.h - exact.h * exact.u) / (found.fastest * std::max(left.h, right.h));
      worst[static_cast<int>(kind)] = std::max(worst[static_cast<int>(kind)], error);
    }
  }
  for (const solver_kind kind : all_solver_kinds) {
    std::printf("%s: flux at most %.3f of (fastest wave times depth) from the exact one\n", to_text(kind),
                worst[static_cast<int>(kind)]);
    EXPECT_LT(worst[static_cast<int>(kind)], 0.25) << to_text(kind);
  }
}

TEST(shallow_water_exact_solution, satisfies_the_equations_across_its_waves) {
  random_cells<double> states(9);
  for (int i = 0; i < n_states; ++i) {
    const auto left = states.wet_on_flat_bed();
    const auto right = states.wet_on_flat_bed();
    const double u_left = left.normal / left.h;
    const double u_right = right.normal / right.h;
    const auto fan = riemann::fan_between(left.h, u_left, right.h, u_right, standard_gravity);
    ASSERT_LE(fan.outer_left, fan.inner_left + 1e-12);
    ASSERT_LE(fan.inner_right, fan.outer_right + 1e-12);
    if (fan.h == 0) {
      ASSERT_LE(fan.inner_left, fan.inner_right) << "fronts that leave dry ground between them";
      continue;
    }
    const double c = std::sqrt(standard_gravity * fan.h);
    if (fan.left_is_rarefaction) {
      ASSERT_NEAR(fan.u + 2 * c, u_left + 2 * std::sqrt(standard_gravity * left.h), 1e-9);
    } else {  // Rankine and Hugoniot
      ASSERT_NEAR(fan.h * fan.u - left.normal, fan.outer_left * (fan.h - left.h), 1e-9 * (1 + fan.h * c));
    }
    if (fan.right_is_rarefaction) {
      ASSERT_NEAR(fan.u - 2 * c, u_right - 2 * std::sqrt(standard_gravity * right.h), 1e-9);
    } else {
      ASSERT_NEAR(fan.h * fan.u - right.normal, fan.outer_right * (fan.h - right.h), 1e-9 * (1 + fan.h * c));
    }
  }
}

// Ritter's front moves with twice the speed of waves, and at the dam the flow is critical.
TEST(shallow_water_exact_solution, is_ritters_on_dry_ground) {
  const double c = std::sqrt(standard_gravity);
  const auto fan = riemann::fan_between(1.0, 0.0, 0.0, 0.0, standard_gravity);
  EXPECT_EQ(fan.h, 0);
  EXPECT_DOUBLE_EQ(fan.outer_left, -c);
  EXPECT_DOUBLE_EQ(fan.outer_right, 2 * c);
  const auto at_dam = riemann::state_on_ray(1.0, 0.0, 0.0, 0.0, 0.0, standard_gravity);
  EXPECT_DOUBLE_EQ(at_dam.h, 4.0 / 9);
  EXPECT_DOUBLE_EQ(at_dam.u, 2 * c / 3);
  const auto mirrored = riemann::state_on_ray(0.0, 0.0, 1.0, 0.0, 0.0, standard_gravity);
  EXPECT_DOUBLE_EQ(mirrored.u, -at_dam.u);
}

}  // namespace
