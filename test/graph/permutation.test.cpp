// Goal: permutations are permutations, each equally likely and the same on any number of PEs; matrices are permuted by
// them. Method: compared with a serial model, and with teams of one PE.
// pes: 1 2 3 4 7
#include "shoal/graph/permutation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "shoal/graph/matrix_builder.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

// Collective. The images of all indices on every PE.
std::vector<std::int64_t> gather(world& w, const permutation& p) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(p.indices.n()), 0);
  for (std::size_t i = 0; i < p.images.size(); ++i) {
    all[static_cast<std::size_t>(p.indices.global(p.pe, static_cast<std::int64_t>(i)))] = p.images[i];
  }
  if (!all.empty()) w.all_reduce(std::span(all));
  return all;
}

TEST_ON_PES(permutations, are_the_same_on_any_number_of_PEs) {
  world& w = world::current();
  world alone = w.split(w.my_pe());
  for (const std::int64_t n : {0, 1, 2, 5, 1000}) {
    for (const layout kind : {layout::cyclic, layout::block}) {
      const permutation p = random_permutation(w, {kind, n, w.n_pes()}, 3);
      EXPECT_TRUE(is_permutation(w, p));
      EXPECT_EQ(gather(w, p), random_permutation(alone, {layout::block, n, 1}, 3).images);
    }
  }
  const distribution indices{layout::cyclic, 1000, w.n_pes()};
  EXPECT_NE(gather(w, random_permutation(w, indices, 3)), gather(w, random_permutation(w, indices, 4)));
}

// Pearson's test: the statistic has 23 degrees of freedom, and is below 61 in all but one of 20,000 cases.
TEST_ON_PES(permutations, are_equally_likely) {
  world& w = world::current();
  world alone = w.split(w.my_pe());
  constexpr int n_drawn = 2'400;
  std::map<std::vector<std::int64_t>, int> n_of;
  for (std::uint64_t seed = 0; seed < n_drawn; ++seed) {
    ++n_of[random_permutation(alone, {layout::block, 4, 1}, seed).images];
  }
  EXPECT_EQ(n_of.size(), 24u);
  double statistic = 0;
  for (const auto& [images, n] : n_of) statistic += (n - 100.0) * (n - 100.0) / 100;
  EXPECT_LT(statistic, 61);
}

TEST_ON_PES(permutations, lead_back) {
  world& w = world::current();
  for (const layout kind : {layout::cyclic, layout::block}) {
    const permutation p = random_permutation(w, {kind, 500, w.n_pes()}, 9);
    const permutation q = inverse(w, p);
    EXPECT_TRUE(is_permutation(w, q));
    const auto there = gather(w, p);
    const auto back = gather(w, q);
    for (std::size_t i = 0; i < there.size(); ++i) {
      EXPECT_EQ(back[static_cast<std::size_t>(there[i])], static_cast<std::int64_t>(i));
    }
  }
}

TEST_ON_PES(permutations, are_told_from_others) {
  world& w = world::current();
  const distribution indices{layout::cyclic, 50, w.n_pes()};
  const permutation right = random_permutation(w, indices, 1);
  const bool is_first = w.my_pe() == 0;
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{50}, INT64_MAX}) {
    permutation p = right;
    if (is_first) p.images.front() = wrong;
    EXPECT_FALSE(is_permutation(w, p)) << "out of range on one PE";
  }
  permutation p = right;
  if (is_first) p.images.front() = p.images.back() == p.images.front() ? 0 : p.images.back();
  EXPECT_FALSE(is_permutation(w, p)) << "an image twice";
  p = right;
  if (is_first) p.images.pop_back();
  EXPECT_FALSE(is_permutation(w, p)) << "an image less";
  p = right;
  if (is_first) p.images.push_back(0);
  EXPECT_FALSE(is_permutation(w, p)) << "an image more";
}

TEST_ON_PES(permutations, move_the_entries_of_matrices) {
  world& w = world::current();
  const auto all = test::random_entries(1, 5'000, 300, 77);
  for (const layout kind : {layout::cyclic, layout::block}) {
    const distribution rows{kind, 300, w.n_pes()};
    const bool is_mine = w.my_pe() == w.n_pes() - 1;
    const std::vector<weighted_entry> mine = is_mine ? all : std::vector<weighted_entry>{};
    const sparse_matrix m = assemble<weighted_entry>(w, rows, 77, std::span<const weighted_entry>(mine));
    const permutation of_rows = random_permutation(w, rows, 1);
    const permutation of_columns = random_permutation(w, m.columns_distribution(), 2);
    const auto row_images = gather(w, of_rows);
    const auto column_images = gather(w, of_columns);
    std::vector<weighted_entry> expected;
    for (const auto& e : all) {
      expected.push_back(
          {row_images[static_cast<std::size_t>(e.row)], column_images[static_cast<std::size_t>(e.column)], e.value});
    }
    std::sort(expected.begin(), expected.end());
    const sparse_matrix moved = permute(w, m, of_rows, of_columns);
    EXPECT_EQ(moved.rows, m.rows);
    EXPECT_EQ(moved.n_columns, 77);
    EXPECT_EQ(test::gather_entries(w, moved), expected);
    EXPECT_TRUE(are_equal(w, permute(w, moved, inverse(w, of_rows), inverse(w, of_columns)), m));

    sparse_matrix pattern = m;
    pattern.has_values = false;
    pattern.values.clear();
    for (auto& e : expected) e.value = 1;
    const sparse_matrix moved_pattern = permute(w, pattern, of_rows, of_columns);
    EXPECT_FALSE(moved_pattern.has_values);
    EXPECT_EQ(test::gather_entries(w, moved_pattern), [&] {
      auto sorted = expected;
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    }());
  }
}

}  // namespace
}  // namespace shoal
