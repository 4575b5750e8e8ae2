// Goal: a cylinder of water that breaks spreads as a computation along a radius says, and equally in all directions.
#include <gtest/gtest.h>

#include <cmath>

#include "applications/shallow_water/radial_reference.hpp"
#include "test/shallow_water/errors.hpp"

namespace {

using namespace shoal::swe;
using test::errors_of;
using test::expect_slopes;

TEST(shallow_water_radial_dam_break, converges_to_the_computation_along_a_radius) {
  const scenario from = radial_dam_break();
  const radial_profile reference = radial_reference(10, 1, 11, from.end_time, 36, 3000);
  for (const solver_kind kind : all_solver_kinds) {
    SCOPED_TRACE(to_text(kind));
    const auto errors = errors_of<double>(from, {{50, 50}, {100, 100}, {200, 200}}, kind, from.end_time,
                                          [&](double x, double y) { return reference.h_at(std::hypot(x, y)); });
    EXPECT_LT(errors.back(), 0.04);
    expect_slopes(errors, 0.65, 1);
  }
}

// Cells are squares whose places are exact, so that nothing but the scheme could tell the directions apart.
TEST(shallow_water_radial_dam_break, stays_symmetric_bit_by_bit) {
  scenario from = radial_dam_break();
  from.x_begin = from.y_begin = -32;
  from.x_end = from.y_end = 32;
  constexpr std::size_t n = 64;
  for (const solver_kind kind : all_solver_kinds) {
    serial_run<float> run(from, {n, n}, {1, 1}, kind);
    run.run_with_adaptive_step(1);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        const cell_state<float> here = run.cell(i, j);
        ASSERT_EQ(run.cell(n - 1 - i, j), (cell_state<float>{here.h, -here.hu, here.hv, here.b}));
        ASSERT_EQ(run.cell(j, i), (cell_state<float>{here.h, here.hv, here.hu, here.b}));
      }
    }
  }
}

TEST(shallow_water_radial_reference, converges) {
  const radial_profile fine = radial_reference(10, 1, 11, 0.69, 36, 3000);
  double before = 1;
  for (const std::size_t n : {500U, 1000U}) {
    const radial_profile coarse = radial_reference(10, 1, 11, 0.69, 36, n);
    double error = 0;
    for (double r = 0.1; r < 30; r += 0.1) error += std::abs(coarse.h_at(r) - fine.h_at(r)) / 300;
    EXPECT_LT(error, before / 1.5);
    before = error;
  }
}

}  // namespace
