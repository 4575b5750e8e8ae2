// Goal: the same bits with all instructions and at all places of a line, and as many operations as edge_loop.hpp says.
#include "applications/shallow_water/edge_loop.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "applications/shallow_water/cell_loop.hpp"
#include "applications/shallow_water/riemann/f_wave.hpp"
#include "applications/shallow_water/riemann/hlle.hpp"
#include "test/shallow_water/states.hpp"

namespace {

using namespace shoal::swe;
using test::random_cells;

template <class Real>
class shallow_water_edge_loop : public testing::Test {};
using loop_types = testing::Types<float, double>;
TYPED_TEST_SUITE(shallow_water_edge_loop, loop_types);

// Lines of quantities, one after the other.
template <class Real>
struct lines {
  lines(std::size_t n_lines, std::size_t n) : n_cells(n), numbers(n_lines * n) {}
  Real* line(std::size_t k) { return numbers.data() + k * n_cells; }
  cell_line<Real> cells(std::size_t k) { return {line(k), line(k + 1), line(k + 2), line(k + 3)}; }
  update_line<Real> updates(std::size_t k) { return {line(k), line(k + 1), line(k + 2)}; }

  std::size_t n_cells;
  std::vector<Real> numbers;
};

template <class Real>
lines<Real> random_sides(std::size_t n, std::uint64_t seed) {
  lines<Real> made(8, n);
  random_cells<Real> states(seed);
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t k = 0; k < n; ++k) {
      const auto state = states.any();
      made.line(4 * side)[k] = state.h;
      made.line(4 * side + 1)[k] = state.normal;
      made.line(4 * side + 2)[k] = state.along;
      made.line(4 * side + 3)[k] = state.bed;
    }
  }
  return made;
}

template <class Real>
std::vector<Real> solved(solver_kind kind, instruction_set set, lines<Real>& sides) {
  const std::size_t n = sides.n_cells;
  lines<Real> found(7, n);
  edge_loop_of<Real>(kind, set)(n, sides.cells(0), sides.cells(4), found.updates(0), found.updates(3), found.line(6),
                                {});
  return found.numbers;
}

TYPED_TEST(shallow_water_edge_loop, an_edge_alone_gets_the_same_bits) {
  constexpr std::size_t n = 4001;  // no multiple of any vector
  auto sides = random_sides<TypeParam>(n, 1);
  for (const solver_kind kind : all_solver_kinds) {
    SCOPED_TRACE(to_text(kind));
    auto whole = solved(kind, instruction_set::portable, sides);
    if (is_supported(instruction_set::avx2)) {
      EXPECT_EQ(solved(kind, instruction_set::avx2, sides), whole);
    }
    for (std::size_t k = 0; k < n; ++k) {
      const auto at = [&](std::size_t line) { return sides.line(line)[k]; };
      const auto alone = test::solve_edge<TypeParam>(kind, {at(0), at(1), at(2), at(3)}, {at(4), at(5), at(6), at(7)},
                                                     {}, instruction_set::portable);
      const std::array<TypeParam, 7> numbers = {alone.left.h,       alone.left.normal, alone.left.along, alone.right.h,
                                                alone.right.normal, alone.right.along, alone.fastest};
      for (std::size_t line = 0; line < 7; ++line) ASSERT_EQ(whole[line * n + k], numbers[line]) << k << ", " << line;
    }
  }
}

TYPED_TEST(shallow_water_edge_loop, finds_numbers_on_any_states) {
  auto sides = random_sides<TypeParam>(50'000, 2);
  for (const solver_kind kind : all_solver_kinds) {
    SCOPED_TRACE(to_text(kind));
    for (const TypeParam number : solved(kind, best_instruction_set(), sides)) ASSERT_TRUE(std::isfinite(number));
  }
}

TYPED_TEST(shallow_water_edge_loop, keeps_the_fastest_wave_of_earlier_edges) {
  auto sides = random_sides<TypeParam>(100, 3);
  lines<TypeParam> found(7, 100);
  const auto before = TypeParam(8);
  std::fill_n(found.line(6), 100, before);
  const auto alone = solved(solver_kind::hlle, best_instruction_set(), sides);
  edge_loop_of<TypeParam>(solver_kind::hlle, best_instruction_set())(
      100, sides.cells(0), sides.cells(4), found.updates(0), found.updates(3), found.line(6), {});
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(found.line(6)[k], std::max(before, alone[600 + k]));
}

TYPED_TEST(shallow_water_edge_loop, cells_get_the_same_bits_with_all_instructions) {
  if (!is_supported(instruction_set::avx2)) GTEST_SKIP() << "no second instruction set";
  constexpr std::size_t n = 1003;
  random_cells<TypeParam> states(4);
  lines<TypeParam> found(12, n);
  for (TypeParam& number : found.numbers) number = states.between(-1, 1);
  const edges_around<TypeParam> edges = {found.updates(0), found.updates(3), found.updates(6), found.updates(9)};
  std::vector<std::vector<TypeParam>> results;
  for (const instruction_set set : {instruction_set::portable, instruction_set::avx2}) {
    lines<TypeParam> cells(6, n);
    random_cells<TypeParam> starts(5);
    for (TypeParam& number : cells.numbers) number = starts.between(0, 1);
    cell_loops_of<TypeParam>(set).add_up(n, edges, TypeParam(1.1), TypeParam(0.7), cells.updates(0));
    cell_loops_of<TypeParam>(set).advance(n, cells.updates(0), TypeParam(0.3), TypeParam(0.01), cells.updates(3));
    results.push_back(cells.numbers);
  }
  EXPECT_EQ(results[0], results[1]);
}

// A number that counts what is done with it.
struct counted {
  explicit counted(double v = 0) : value(v) {}
  double value;
  static inline int n_operations = 0;

  static counted once(double result) {
    ++n_operations;
    return counted(result);
  }
  friend counted operator+(counted a, counted b) { return once(a.value + b.value); }
  friend counted operator-(counted a, counted b) { return once(a.value - b.value); }
  friend counted operator*(counted a, counted b) { return once(a.value * b.value); }
  friend counted operator/(counted a, counted b) { return once(a.value / b.value); }
  friend counted sqrt(counted a) { return once(std::sqrt(a.value)); }
  friend counted operator-(counted a) { return counted(-a.value); }
  friend bool operator<(counted a, counted b) { return a.value < b.value; }
  friend bool operator>(counted a, counted b) { return a.value > b.value; }
  friend bool operator>=(counted a, counted b) { return a.value >= b.value; }
};

template <class Solver>
void expect_operations(solver_kind kind) {
  random_cells<double> states(6);
  const auto as_counted = [](const test::cell<double>& of) {
    return riemann::cell<counted>{counted(of.h), counted(of.normal), counted(of.along), counted(of.bed)};
  };
  for (int i = 0; i < 1000; ++i) {
    const auto left = as_counted(states.any());
    const auto right = as_counted(states.any());
    counted::n_operations = 0;
    Solver::solve(left, right, constants<counted>{});
    ASSERT_EQ(counted::n_operations, flops_per_edge(kind)) << to_text(kind);
  }
}

TEST(shallow_water_flops, are_what_the_loops_say) {
  expect_operations<riemann::hlle>(solver_kind::hlle);
  expect_operations<riemann::f_wave>(solver_kind::f_wave);
}

}  // namespace
