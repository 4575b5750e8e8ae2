// Goal: borders, ghosts and counts of a patch are those of its cells.
#include "applications/shallow_water/patch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "test/shallow_water/states.hpp"

namespace {

using namespace shoal::swe;

constexpr block small_block = {.first_x = 3, .first_y = 2, .n_x = 4, .n_y = 3};
constexpr domain small_domain = {.x_begin = -1, .x_end = 9, .y_begin = 0, .y_end = 5, .n_x = 10, .n_y = 10};

// Cell (i, j) has depth 100 + 10 j + i.
patch<double> numbered_patch() {
  patch<double> made(small_domain, small_block, {}, solver_kind::hlle);
  for (std::size_t j = 0; j < small_block.n_y; ++j) {
    for (std::size_t i = 0; i < small_block.n_x; ++i) {
      const double number = 10.0 * double(j) + double(i);
      made.set_cell(i, j, {100 + number, 200 + number, 300 + number, 400 + number});
    }
  }
  return made;
}

TEST(shallow_water_patch, reads_borders_without_corners) {
  const patch<double> of = numbered_patch();
  const auto border = [&](side at) {
    std::vector<double> numbers(of.border_size(at));
    of.read_border(at, numbers);
    return numbers;
  };
  EXPECT_EQ(border(side::left), (std::vector<double>{100, 110, 120, 200, 210, 220, 300, 310, 320}));
  EXPECT_EQ(border(side::right), (std::vector<double>{103, 113, 123, 203, 213, 223, 303, 313, 323}));
  EXPECT_EQ(border(side::bottom), (std::vector<double>{100, 101, 102, 103, 200, 201, 202, 203, 300, 301, 302, 303}));
  EXPECT_EQ(border(side::top), (std::vector<double>{120, 121, 122, 123, 220, 221, 222, 223, 320, 321, 322, 323}));
  std::vector<double> bed(4);
  of.read_bed_border(side::top, bed);
  EXPECT_EQ(bed, (std::vector<double>{420, 421, 422, 423}));
}

TEST(shallow_water_patch, knows_its_place_in_the_domain) {
  const patch<double> of = numbered_patch();
  EXPECT_DOUBLE_EQ(of.x_of(0), 2.5);
  EXPECT_DOUBLE_EQ(of.y_of(2), 2.25);
  EXPECT_EQ(of.n_cells(), 12U);
  EXPECT_EQ(of.n_edges(), 5U * 3 + 4 * 4);
}

TEST(shallow_water_patch, dry_cells_have_no_momentum_and_no_negative_depth) {
  patch<double> of = numbered_patch();
  of.set_cell(1, 1, {0.005, 1, 1, 2});
  EXPECT_EQ(of.cell(1, 1), (cell_state<double>{0.005, 0, 0, 2}));
  of.set_cell(2, 1, {-1, 1, 1, 2});
  EXPECT_EQ(of.cell(2, 1), (cell_state<double>{0, 0, 0, 2}));
  EXPECT_EQ(of.n_wet_cells(), 10U);
}

TEST(shallow_water_patch, adds_up_its_depths) {
  fixed_sum sum;
  numbered_patch().add_depths(sum);
  EXPECT_EQ(sum.value(), 12 * 100 + 3 * (0 + 1 + 2 + 3) + 4 * (0 + 10 + 20));
}

// The neighbour's border as ghosts is as good as a patch that holds both.
template <class Real>
void expect_updates_through(side at, const cell_state<Real>& own, const cell_state<Real>& beyond) {
  const domain whole = {.x_end = 3, .y_end = 3, .n_x = 3, .n_y = 3};
  patch<Real> alone(whole, {.n_x = 1, .n_y = 1}, {}, solver_kind::hlle);
  alone.set_cell(0, 0, own);
  for (const side each : all_sides) {
    const cell_state<Real> ghost = each == at ? beyond : own;
    const Real numbers[] = {ghost.h, ghost.hu, ghost.hv};
    alone.set_ghosts(each, numbers);
    alone.set_ghost_bed(each, std::span(&ghost.b, 1));
  }
  alone.solve();
  alone.advance(Real(0.01));

  const bool across_x = at == side::left || at == side::right;
  const auto turned = [&](const cell_state<Real>& of) {
    return across_x ? test::cell<Real>{of.h, of.hu, of.hv, of.b} : test::cell<Real>{of.h, of.hv, of.hu, of.b};
  };
  const bool is_before = at == side::left || at == side::bottom;
  const auto found = is_before ? test::solve_edge(solver_kind::hlle, turned(beyond), turned(own)).right
                               : test::solve_edge(solver_kind::hlle, turned(own), turned(beyond)).left;
  EXPECT_EQ(alone.cell(0, 0).h, own.h - Real(0.01) * found.h);
  EXPECT_EQ(alone.cell(0, 0).hu, own.hu - Real(0.01) * (across_x ? found.normal : found.along));
  EXPECT_EQ(alone.cell(0, 0).hv, own.hv - Real(0.01) * (across_x ? found.along : found.normal));
}

TEST(shallow_water_patch, flows_to_each_side_by_the_edge_there) {
  for (const side at : all_sides) {
    SCOPED_TRACE(static_cast<int>(at));
    expect_updates_through<double>(at, {2, 1, -0.5, 0.25}, {1, -0.25, 2, 0.5});
    expect_updates_through<float>(at, {2, 1, -0.5, 0.25}, {1, -0.25, 2, 0.5});
  }
}

// Both cells flow apart, until they are dry.
TEST(shallow_water_patch, cells_that_fall_dry_lose_their_momentum) {
  patch<double> of({.x_end = 2, .n_x = 2}, {.n_x = 2}, {}, solver_kind::hlle);
  of.set_cell(0, 0, {0.02, -0.2, 0.1, 0});
  of.set_cell(1, 0, {0.02, 0.2, 0.1, 0});
  for (const side at : all_sides) of.reflect(at, boundary::outflow);
  of.solve();
  of.advance(0.06);
  for (const std::size_t i : {0, 1}) {
    EXPECT_GT(of.cell(i, 0).h, 0);
    EXPECT_LT(of.cell(i, 0).h, 0.01);
    EXPECT_EQ(of.cell(i, 0).hu, 0);
    EXPECT_EQ(of.cell(i, 0).hv, 0);
  }
}

TEST(shallow_water_patch, lets_water_at_a_wall_slide_along_it) {
  patch<double> of({.x_end = 2, .y_end = 2, .n_x = 2, .n_y = 2}, {.n_x = 2, .n_y = 2}, {}, solver_kind::hlle);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 2; ++i) of.set_cell(i, j, {1, 0, 0.5, 0});
  }
  of.reflect(side::left, boundary::wall);
  of.reflect(side::right, boundary::wall);
  of.reflect(side::bottom, boundary::outflow);
  of.reflect(side::top, boundary::outflow);
  const double fastest = of.solve();
  of.advance(0.1);
  EXPECT_EQ(of.cell(0, 0), (cell_state<double>{1, 0, 0.5, 0}));
  EXPECT_DOUBLE_EQ(fastest, 0.5 + std::sqrt(standard_gravity));
  EXPECT_DOUBLE_EQ(of.fastest_signal(), fastest);
}

}  // namespace
