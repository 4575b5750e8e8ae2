// Goal: errors vanish at the rate of a first-order scheme, against exact solutions.
//
// The error is the sum of |h - exact h| over that of exact h. With cells half as wide, a first-order scheme halves it
// where the solution is smooth; rarefactions, whose ends have kinks, take it to about 2/3 to 3/4 of an order, and so do
// shocks with the rarefactions beside them.
#include <gtest/gtest.h>

#include <vector>

#include "applications/shallow_water/riemann/middle_state.hpp"
#include "test/shallow_water/errors.hpp"

namespace {

using namespace shoal::swe;

using test::errors_of;
using test::expect_slopes;

const std::vector<grid_size> channels = {{100, 2}, {200, 2}, {400, 2}, {800, 2}};
const std::vector<grid_size> squares = {{24, 24}, {48, 48}, {96, 96}};

template <class Real>
class shallow_water_convergence : public testing::Test {};
using converging_types = testing::Types<float, double>;
TYPED_TEST_SUITE(shallow_water_convergence, converging_types);

TYPED_TEST(shallow_water_convergence, to_stokers_dam_break) {
  for (const solver_kind kind : all_solver_kinds) {
    SCOPED_TRACE(to_text(kind));
    const auto errors = errors_of<TypeParam>(stoker_dam_break(), channels, kind);
    EXPECT_LT(errors.back(), 5e-3);
    expect_slopes(errors, 0.7, 0.9);
  }
}

TYPED_TEST(shallow_water_convergence, to_ritters_dam_break) {
  for (const solver_kind kind : {solver_kind::hlle, solver_kind::augmented}) {
    SCOPED_TRACE(to_text(kind));
    const auto errors = errors_of<TypeParam>(ritter_dam_break(), channels, kind);
    EXPECT_LT(errors.back(), 7e-3);
    expect_slopes(errors, 0.6, 0.85);
  }
}

// It lets a jump stand at the dam, where the flow becomes critical.
TEST(shallow_water_limits, the_f_wave_solver_keeps_an_error_at_ritters_dam) {
  const auto errors = errors_of<double>(ritter_dam_break(), channels, solver_kind::f_wave);
  EXPECT_LT(errors.back(), 0.05);
  EXPECT_GT(errors.back(), 0.02) << "README.md says that there is an error: it is better now";
}

// A deep rarefaction at the dam, which passes the critical point: there the augmented solver has a third wave.
TEST(shallow_water_limits, the_augmented_solver_is_better_at_a_deep_rarefaction) {
  scenario from = stoker_dam_break();
  from.name = "deep_dam_break";
  from.end_time = 1;
  from.start = [](double x, double) -> cell_state<double> { return {.h = x < 0 ? 1.0 : 0.05}; };
  from.exact = [](double x, double, double t) -> cell_state<double> {
    return {.h = riemann::state_on_ray(1.0, 0.0, 0.05, 0.0, x / t, standard_gravity).h};
  };
  const std::vector<grid_size> grids = {{100, 2}, {200, 2}, {400, 2}};
  const auto of_hlle = errors_of<double>(from, grids, solver_kind::hlle);
  const auto of_augmented = errors_of<double>(from, grids, solver_kind::augmented);
  EXPECT_LT(of_augmented.front(), 0.95 * of_hlle.front());
  expect_slopes(of_augmented, 0.65, 0.95);
}

TYPED_TEST(shallow_water_convergence, to_thackers_oscillations) {
  for (const solver_kind kind : all_solver_kinds) {
    if (sizeof(TypeParam) == 4 && kind != solver_kind::hlle) continue;  // rounding is not what limits them
    SCOPED_TRACE(to_text(kind));
    for (const scenario& from : {thacker_planar(), thacker_radial()}) {
      const auto errors = errors_of<TypeParam>(from, squares, kind);
      EXPECT_LT(errors.back(), 0.12);
      expect_slopes(errors, 0.55, 1.2);
    }
  }
}

}  // namespace
