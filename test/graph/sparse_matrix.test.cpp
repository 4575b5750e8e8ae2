// Goal: distributed matrices equal a serial model, whatever the layout and the number of PEs.
// pes: 1 2 3 4 7
// labels: threads
#include "shoal/graph/sparse_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/graph/matrix_builder.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

using test::gather_entries;
using test::random_entries;

// This PE's share of a list that all PEs know.
template <class E = weighted_entry>
std::vector<E> share_of(world& w, const std::vector<weighted_entry>& all) {
  std::vector<E> mine;
  for (auto i = static_cast<std::size_t>(w.my_pe()); i < all.size(); i += static_cast<std::size_t>(w.n_pes())) {
    if constexpr (std::is_same_v<E, entry>) {
      mine.push_back({all[i].row, all[i].column});
    } else {
      mine.push_back(all[i]);
    }
  }
  return mine;
}

template <matrix_entry E>
sparse_matrix matrix_of(world& w, layout kind, const std::vector<weighted_entry>& all, std::int64_t n_rows,
                        std::int64_t n_columns) {
  const std::vector<E> mine = share_of<E>(w, all);
  return assemble<E>(w, {kind, n_rows, w.n_pes()}, n_columns, std::span<const E>(mine));
}

std::vector<weighted_entry> sorted(std::vector<weighted_entry> entries) {
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<weighted_entry> pattern_of(std::vector<weighted_entry> entries) {
  for (weighted_entry& e : entries) e.value = 1;
  return sorted(entries);
}

// What the type promises about itself.
void expect_sound(world& w, const sparse_matrix& m) {
  EXPECT_EQ(m.pe, w.my_pe());
  EXPECT_EQ(m.n_local_rows(), m.rows.n_local(w.my_pe()));
  EXPECT_EQ(m.offsets.front(), 0);
  EXPECT_EQ(m.offsets.back(), m.n_local_entries());
  EXPECT_EQ(m.values.size(), m.has_values ? m.columns.size() : 0);
  EXPECT_TRUE(std::is_sorted(m.offsets.begin(), m.offsets.end()));
  for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
    EXPECT_TRUE(std::is_sorted(m.row(r).begin(), m.row(r).end()));
    EXPECT_EQ(m.rows.place_of(m.global_row(r)), (place{w.my_pe(), r}));
  }
}

// A test of matrices, for each layout.
#define TEST_OF_LAYOUTS(name)                                                      \
  void name([[maybe_unused]] world& w, layout kind);                               \
  TEST_ON_PES(matrices, name##_cyclic) { name(world::current(), layout::cyclic); } \
  TEST_ON_PES(matrices, name##_block) { name(world::current(), layout::block); }   \
  void name([[maybe_unused]] world& w, layout kind)

TEST_OF_LAYOUTS(hold_what_all_pes_gave) {
  const auto all = random_entries(1, 20'000, 300, 77);  // more than a buffer, and many duplicates
  const sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 300, 77);
  expect_sound(w, m);
  EXPECT_TRUE(m.has_values);
  EXPECT_EQ(n_entries(w, m), 20'000);
  EXPECT_EQ(gather_entries(w, m), sorted(all));

  const sparse_matrix pattern = matrix_of<entry>(w, kind, all, 300, 77);
  expect_sound(w, pattern);
  EXPECT_FALSE(pattern.has_values);
  EXPECT_EQ(gather_entries(w, pattern), pattern_of(all));
}

TEST_OF_LAYOUTS(may_be_empty_or_have_fewer_rows_than_there_are_pes) {
  for (const std::int64_t n : {0, 1, 2}) {
    const sparse_matrix m = matrix_of<entry>(w, kind, {}, n, n);
    expect_sound(w, m);
    EXPECT_EQ(n_entries(w, m), 0);
    EXPECT_EQ(n_entries(w, transpose(w, m)), 0);
    EXPECT_EQ(n_entries(w, symmetrise(w, m)), 0);
  }
  const std::vector<weighted_entry> one = {{1, 0, 2.5}};
  EXPECT_EQ(gather_entries(w, matrix_of<weighted_entry>(w, kind, one, 2, 1)), one);
}

TEST_OF_LAYOUTS(add_up_duplicates) {
  const auto all = random_entries(2, 5'000, 40, 30);
  std::map<std::pair<std::int64_t, std::int64_t>, double> model;
  for (const auto& e : all) model[{e.row, e.column}] += e.value;  // multiples of 1/8: exact in any order
  std::vector<weighted_entry> expected;
  for (const auto& [at, value] : model) expected.push_back({at.first, at.second, value});

  sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 40, 30);
  sum_duplicates(m);
  expect_sound(w, m);
  EXPECT_EQ(gather_entries(w, m), expected);

  sparse_matrix pattern = matrix_of<entry>(w, kind, all, 40, 30);
  sum_duplicates(pattern);
  expect_sound(w, pattern);
  EXPECT_EQ(gather_entries(w, pattern), pattern_of(expected));
}

// Sums of doubles depend on their order, and entries arrive in any.
TEST_OF_LAYOUTS(add_up_duplicates_in_the_same_order_each_time) {
  random_engine random(5);
  std::vector<weighted_entry> all(2'000);
  for (auto& e : all) e = {static_cast<std::int64_t>(random.below(3)), 0, random.uniform() * 1e6};
  std::vector<weighted_entry> first;
  for (int i = 0; i < 5; ++i) {
    sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 3, 1);
    sum_duplicates(m);
    const auto sums = gather_entries(w, m);
    if (i == 0) first = sums;
    EXPECT_EQ(sums, first);
    std::reverse(all.begin(), all.end());
  }
}

TEST_OF_LAYOUTS(transpose_into_each_other) {
  const auto all = random_entries(3, 3'000, 100, 23);
  auto mirrored = all;
  for (auto& e : mirrored) std::swap(e.row, e.column);

  const sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 100, 23);
  const sparse_matrix t = transpose(w, m);
  expect_sound(w, t);
  EXPECT_EQ(t.rows, (distribution{kind, 23, w.n_pes()}));
  EXPECT_EQ(t.n_columns, 100);
  EXPECT_EQ(gather_entries(w, t), sorted(mirrored));

  const sparse_matrix back = transpose(w, t);
  EXPECT_EQ(back.offsets, m.offsets);
  EXPECT_EQ(back.columns, m.columns);
  EXPECT_EQ(back.values, m.values);

  const sparse_matrix pattern = transpose(w, matrix_of<entry>(w, kind, all, 100, 23));
  EXPECT_FALSE(pattern.has_values);
  EXPECT_EQ(gather_entries(w, pattern), pattern_of(mirrored));
}

TEST_OF_LAYOUTS(symmetrise_to_simple_graphs) {
  const auto all = random_entries(4, 400, 30, 30);
  std::set<std::pair<std::int64_t, std::int64_t>> model;
  for (const auto& e : all) {
    if (e.row == e.column) continue;
    model.insert({e.row, e.column});
    model.insert({e.column, e.row});
  }
  std::vector<weighted_entry> expected;
  for (const auto& [row, column] : model) expected.push_back({row, column, 1});

  const sparse_matrix m = symmetrise(w, matrix_of<weighted_entry>(w, kind, all, 30, 30));
  expect_sound(w, m);
  EXPECT_FALSE(m.has_values);
  EXPECT_EQ(gather_entries(w, m), expected);
}

TEST_OF_LAYOUTS(split_into_triangles) {
  const auto all = random_entries(6, 2'000, 50, 60);
  std::vector<weighted_entry> lower;
  std::vector<weighted_entry> upper;
  for (const auto& e : all) {
    if (e.column < e.row) lower.push_back(e);
    if (e.column > e.row) upper.push_back(e);
  }
  const sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 50, 60);
  const sparse_matrix below = strict_lower(m);
  const sparse_matrix above = strict_upper(m);
  expect_sound(w, below);
  expect_sound(w, above);
  EXPECT_EQ(gather_entries(w, below), sorted(lower));
  EXPECT_EQ(gather_entries(w, above), sorted(upper));
}

TEST_OF_LAYOUTS(split_at_any_diagonal) {
  const auto all = random_entries(10, 1'000, 30, 40);
  const sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 30, 40);
  for (const std::int64_t diagonal : {-100, -30, -3, 0, 1, 12, 100}) {
    std::vector<weighted_entry> lower;
    std::vector<weighted_entry> upper;
    for (const auto& e : all) {
      if (e.column <= e.row + diagonal) lower.push_back(e);
      if (e.column >= e.row + diagonal) upper.push_back(e);
    }
    EXPECT_EQ(gather_entries(w, lower_triangle(m, diagonal)), sorted(lower));
    EXPECT_EQ(gather_entries(w, upper_triangle(m, diagonal)), sorted(upper));
  }
}

TEST_OF_LAYOUTS(know_whether_they_are_triangular) {
  std::vector<weighted_entry> lower;
  for (std::int64_t i = 0; i < 20; ++i) {
    lower.push_back({i, i, 1});
    if (i > 2) lower.push_back({i, i - 3, 7});
  }
  const auto of = [&](const std::vector<weighted_entry>& all) {
    return matrix_of<weighted_entry>(w, kind, all, 20, 20);
  };
  const sparse_matrix m = of(lower);
  EXPECT_TRUE(is_lower_triangular(w, m));
  EXPECT_TRUE(is_lower_triangular(w, m, main_diagonal::unit));
  EXPECT_FALSE(is_upper_triangular(w, m));
  EXPECT_TRUE(is_upper_triangular(w, transpose(w, m), main_diagonal::unit));
  EXPECT_FALSE(is_lower_triangular(w, transpose(w, m)));
  EXPECT_TRUE(is_lower_triangular(w, matrix_of<entry>(w, kind, lower, 20, 20), main_diagonal::unit));

  auto wrong = lower;
  wrong.push_back({4, 19, 1});
  EXPECT_FALSE(is_lower_triangular(w, of(wrong))) << "an entry above";
  wrong = lower;
  wrong.push_back({7, 7, 1});
  EXPECT_TRUE(is_lower_triangular(w, of(wrong)));
  EXPECT_FALSE(is_lower_triangular(w, of(wrong), main_diagonal::unit)) << "twice on the diagonal";
  wrong = lower;
  wrong.front().value = 2;
  EXPECT_FALSE(is_lower_triangular(w, of(wrong), main_diagonal::unit)) << "another value";
  wrong.erase(wrong.begin());
  EXPECT_TRUE(is_lower_triangular(w, of(wrong)));
  EXPECT_FALSE(is_lower_triangular(w, of(wrong), main_diagonal::unit)) << "nothing on the diagonal";
  wrong.push_back({7, 7, 1});
  EXPECT_FALSE(is_lower_triangular(w, of(wrong), main_diagonal::unit)) << "as many as rows, but not one each";
}

TEST_OF_LAYOUTS(compare) {
  const auto all = random_entries(11, 600, 30, 20);
  const sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 30, 20);
  EXPECT_TRUE(are_equal(w, m, matrix_of<weighted_entry>(w, kind, all, 30, 20)));
  EXPECT_FALSE(are_equal(w, m, matrix_of<entry>(w, kind, all, 30, 20)));
  EXPECT_FALSE(are_equal(w, m, matrix_of<weighted_entry>(w, kind, all, 30, 21)));
  EXPECT_FALSE(are_equal(w, m, matrix_of<weighted_entry>(w, kind, all, 31, 20)));
  for (const std::size_t changed : {0, 299, 599}) {
    auto other = all;
    other[changed].value += 1;
    EXPECT_FALSE(are_equal(w, m, matrix_of<weighted_entry>(w, kind, other, 30, 20))) << "a value on one PE";
    other = all;
    other[changed].column = (other[changed].column + 1) % 20;
    EXPECT_FALSE(are_equal(w, m, matrix_of<weighted_entry>(w, kind, other, 30, 20))) << "a column on one PE";
  }
}

TEST_OF_LAYOUTS(get_their_other_half) {
  auto all = random_entries(12, 800, 40, 40);
  std::vector<weighted_entry> expected = all;
  for (const auto& e : all) {
    if (e.row != e.column) expected.push_back({e.column, e.row, e.value});
  }
  const sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 40, 40);
  EXPECT_EQ(gather_entries(w, with_mirrored(w, m)), sorted(expected));
  const sparse_matrix pattern = with_mirrored(w, matrix_of<entry>(w, kind, all, 40, 40));
  EXPECT_FALSE(pattern.has_values);
  EXPECT_EQ(gather_entries(w, pattern), pattern_of(expected));
}

// Each edge is there once, in one of its directions; about half of them turn; another seed turns others.
TEST_OF_LAYOUTS(get_directions) {
  std::vector<weighted_entry> lower;
  for (std::int64_t i = 0; i < 60; ++i) {
    for (std::int64_t j = 0; j < i; ++j) lower.push_back({i, j, static_cast<double>(100 * i + j)});
  }
  const sparse_matrix m = matrix_of<weighted_entry>(w, kind, lower, 60, 60);
  const auto turned = gather_entries(w, orient(w, m, 1));
  auto turned_back = turned;
  std::int64_t n_turned = 0;
  for (auto& e : turned_back) {
    if (e.row >= e.column) continue;
    std::swap(e.row, e.column);
    ++n_turned;
  }
  EXPECT_EQ(sorted(turned_back), sorted(lower));
  EXPECT_NEAR(static_cast<double>(n_turned), 885.0, 5 * 21.0);  // of 1770, with five standard deviations
  EXPECT_EQ(gather_entries(w, orient(w, m, 1)), turned);
  EXPECT_NE(gather_entries(w, orient(w, m, 2)), turned);
}

TEST_OF_LAYOUTS(get_random_values) {
  sparse_matrix m = matrix_of<entry>(w, kind, random_entries(13, 20'000, 200, 200), 200, 200);
  sum_duplicates(m);
  set_random_values(m, 5);
  expect_sound(w, m);
  const auto all = gather_entries(w, m);
  std::map<std::pair<std::int64_t, std::int64_t>, double> value_of;
  double sum = 0;
  for (const auto& e : all) {
    EXPECT_GT(e.value, 0);
    EXPECT_LE(e.value, 1);
    sum += e.value;
    value_of[{e.row, e.column}] = e.value;
  }
  const auto n = static_cast<double>(all.size());
  EXPECT_NEAR(sum / n, 0.5, 5 * 0.29 / std::sqrt(n));
  for (const auto& e : all) {
    const auto mirrored = value_of.find({e.column, e.row});
    EXPECT_TRUE(mirrored == value_of.end() || mirrored->second == e.value);
  }
  const std::size_t n_edges = value_of.size();
  std::set<double> different;
  for (const auto& e : all) different.insert(e.value);
  EXPECT_GT(different.size(), n_edges / 2);
  set_random_values(m, 6);
  EXPECT_NE(gather_entries(w, m), all);
}

TEST_OF_LAYOUTS(know_their_degrees) {
  const auto all = random_entries(7, 3'000, 90, 11);
  const sparse_matrix m = matrix_of<entry>(w, kind, all, 90, 11);
  const auto rows = row_degrees(m);
  const auto columns = column_degrees(w, m);
  const distribution by_column = m.columns_distribution();
  ASSERT_EQ(static_cast<std::int64_t>(rows.size()), m.rows.n_local(w.my_pe()));
  ASSERT_EQ(static_cast<std::int64_t>(columns.size()), by_column.n_local(w.my_pe()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::int64_t g = m.rows.global(w.my_pe(), static_cast<std::int64_t>(r));
    EXPECT_EQ(rows[r], std::count_if(all.begin(), all.end(), [&](auto& e) { return e.row == g; }));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::int64_t g = by_column.global(w.my_pe(), static_cast<std::int64_t>(c));
    EXPECT_EQ(columns[c], std::count_if(all.begin(), all.end(), [&](auto& e) { return e.column == g; }));
  }
}

// Filled by hand, as in a kernel that renumbers columns.
TEST_OF_LAYOUTS(sort_their_rows) {
  sparse_matrix m = matrix_of<weighted_entry>(w, kind, random_entries(8, 500, 20, 100), 20, 100);
  const sparse_matrix original = m;
  for (auto& column : m.columns) column = 99 - column;
  sort_rows(m);
  expect_sound(w, m);
  for (auto& column : m.columns) column = 99 - column;
  sort_rows(m);
  EXPECT_EQ(m.columns, original.columns);
  EXPECT_EQ(m.values, original.values);
}

// Entries that handlers add belong to the superstep, too: here each PE asks the next one to add them.
TEST_OF_LAYOUTS(take_entries_from_handlers) {
  const std::int64_t n = 500;
  const sparse_matrix m = assemble<entry>(w, {kind, n, w.n_pes()}, n, [&](auto& builder) {
    actor relay{w, [&builder](std::int64_t i) { builder.add({i, i}); }};
    for (std::int64_t i = w.my_pe(); i < n; i += w.n_pes()) relay.send((w.my_pe() + 1) % w.n_pes(), i);
  });
  const auto all = gather_entries(w, m);
  ASSERT_EQ(static_cast<std::int64_t>(all.size()), n);
  for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], (weighted_entry{i, i, 1}));
}

// A matrix may be made inside a program's own superstep.
TEST_OF_LAYOUTS(may_be_made_inside_a_superstep) {
  w.finish([&] {
    const auto all = random_entries(9, 300, 30, 30);
    const sparse_matrix m = matrix_of<weighted_entry>(w, kind, all, 30, 30);
    EXPECT_EQ(gather_entries(w, m), sorted(all));
    const auto degrees = column_degrees(w, m);
    EXPECT_EQ(w.sum(std::accumulate(degrees.begin(), degrees.end(), std::int64_t{0})), 300);
  });
}

}  // namespace
}  // namespace shoal
