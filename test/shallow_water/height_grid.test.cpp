// Goal: heights between the lines of a grid are bilinear, and a sea over them is at rest but for its displacement.
#include "applications/shallow_water/height_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "applications/shallow_water/serial_run.hpp"

namespace {

using namespace shoal::swe;

height_grid sloping_bed() { return {.x = {0, 10, 30}, .y = {5, 6}, .heights = {-20, -10, 10, -20, -10, 30}}; }

TEST(shallow_water_height_grid, is_exact_on_its_lines_and_bilinear_between) {
  const height_grid of = sloping_bed();
  EXPECT_EQ(of.at(0, 5), -20);
  EXPECT_EQ(of.at(30, 6), 30);
  EXPECT_EQ(of.at(5, 5.5), -15);
  EXPECT_EQ(of.at(20, 5), 0);
  EXPECT_EQ(of.at(20, 5.5), 5);
  EXPECT_EQ(of.at(15, 6), 0);
}

TEST(shallow_water_height_grid, goes_on_beyond_its_lines) {
  const height_grid of = sloping_bed();
  EXPECT_EQ(of.at(-100, 0), -20);
  EXPECT_EQ(of.at(100, 100), 30);
  EXPECT_EQ((height_grid{.x = {3}, .y = {4}, .heights = {7}}.at(9, 9)), 7);
}

TEST(shallow_water_height_grid, sea_is_raised_in_the_circle_and_only_there) {
  const scenario of = sea_over(sloping_bed(), {.x = 2, .y = 5, .radius = 3}, 10);
  EXPECT_EQ(of.x_end, 30);
  EXPECT_EQ(of.y_begin, 5);
  EXPECT_EQ(of.boundary_at(side::top), boundary::outflow);
  EXPECT_EQ(of.start(2, 5).h, 18 + 50);
  EXPECT_EQ(of.start(5.5, 5).h, 14.5);
  EXPECT_EQ(of.start(25, 5).h, 0);
  EXPECT_EQ(of.start(25, 5).b, 5);
}

TEST(shallow_water_height_grid, water_rises_with_the_bed_where_that_is_known) {
  const height_grid uplift = {.x = {0, 4}, .y = {5, 10}, .heights = {1, 3, 1, 3}};
  const scenario of = sea_over(sloping_bed(), {}, 10, uplift);
  EXPECT_EQ(of.start(2, 5).h, 18);
  EXPECT_EQ(of.start(2, 5).b, -18 + 2);
  EXPECT_EQ(of.start(4.5, 5).b, -15.5) << "beyond the grid of the uplift";
}

TEST(shallow_water_height_grid, displacement_on_land_is_refused) {
  EXPECT_THROW(sea_over(sloping_bed(), {.x = 29, .y = 6, .radius = 1}, 10), std::invalid_argument);
  EXPECT_NO_THROW(sea_over(sloping_bed(), {.x = 29, .y = 6}, 10)) << "no circle";
}

TEST(shallow_water_height_grid, sea_without_displacement_stays_at_rest) {
  const scenario of = sea_over(sloping_bed(), {}, 1);
  serial_run<double> run(of, {30, 10}, {1, 1}, solver_kind::hlle);
  run.run_with_adaptive_step(1);
  for (std::size_t j = 0; j < 10; ++j) {
    for (std::size_t i = 0; i < 30; ++i) {
      ASSERT_NEAR(run.cell(i, j).hu, 0, 1e-11);
      ASSERT_NEAR(run.cell(i, j).hv, 0, 1e-11);
    }
  }
}

}  // namespace
