// Goal: every index has one owner, local and global are inverse, and the fast division is exact.
#include "shoal/pgas/distribution.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "shoal/base/random.hpp"

namespace shoal {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

static_assert(distribution{layout::cyclic, 10, 3}.place_of(7) == place{1, 2});
static_assert(distribution{layout::block, 10, 3}.place_of(7) == place{1, 3});
static_assert(distribution{layout::block, 10, 3}.n_local(2) == 2);
static_assert(distribution{layout::cyclic, 10, 3}.global(1, 2) == 7);
static_assert(distribution{layout::cyclic, 10, 3} != distribution{layout::block, 10, 3});
static_assert(distribution{}.n() == 0);
static_assert(internal::reciprocal{1}.quotient(largest) == largest);

TEST(reciprocal, divides_like_the_division) {
  std::vector<std::int64_t> divisors = {1, 2, 3, 4, 5, 6, 7, 10, 641, largest, largest - 1, largest / 2};
  for (int bit = 1; bit < 63; ++bit) {
    for (const std::int64_t off : {-1, 0, 1}) divisors.push_back((std::int64_t{1} << bit) + off);
  }
  random_engine random(1);
  for (int i = 0; i < 1000; ++i) {
    divisors.push_back(1 + static_cast<std::int64_t>(random() >> (1 + random.below(62))));
  }
  for (const std::int64_t d : divisors) {
    if (d <= 0) continue;
    const internal::reciprocal by(d);
    const auto check = [&](std::int64_t g) {
      if (g >= 0) {
        EXPECT_EQ(by.quotient(g), g / d) << g << " / " << d;
      }
    };
    for (const std::int64_t g :
         {std::int64_t{0}, std::int64_t{1}, d - 1, d, largest, largest - 1, largest / d * d, largest / d * d - 1}) {
      check(g);
    }
    for (int i = 0; i < 200; ++i) {
      const auto g = static_cast<std::int64_t>(random() >> (1 + random.below(62)));
      check(g);
      check(g / d * d);  // where rounding would show
      check(g / d * d - 1);
    }
  }
}

class distributions : public testing::TestWithParam<layout> {};
INSTANTIATE_TEST_SUITE_P(layouts, distributions, testing::Values(layout::cyclic, layout::block));

TEST_P(distributions, give_each_index_one_place) {
  for (std::int64_t n = 0; n < 60; ++n) {
    for (pe_id n_pes = 1; n_pes < 12; ++n_pes) {
      const distribution all(GetParam(), n, n_pes);
      std::int64_t n_seen = 0;
      for (pe_id pe = 0; pe < n_pes; ++pe) {
        EXPECT_LE(all.n_local(pe), (n + n_pes - 1) / n_pes);
        for (std::int64_t local = 0; local < all.n_local(pe); ++local) {
          const std::int64_t g = all.global(pe, local);
          ASSERT_GE(g, 0);
          ASSERT_LT(g, n);
          EXPECT_EQ(all.place_of(g), (place{pe, local}));
          EXPECT_EQ(all.owner(g), pe);
          EXPECT_EQ(all.local(g), local);
          ++n_seen;
        }
      }
      EXPECT_EQ(n_seen, n);  // each at most once, as place_of inverts global: so each exactly once
    }
  }
}

TEST_P(distributions, keep_the_order_of_a_pe) {
  const distribution all(GetParam(), 1000, 7);
  for (pe_id pe = 0; pe < 7; ++pe) {
    for (std::int64_t local = 1; local < all.n_local(pe); ++local) {
      EXPECT_LT(all.global(pe, local - 1), all.global(pe, local));
    }
  }
}

TEST_P(distributions, reach_beyond_32_bits) {
  const std::int64_t n = (std::int64_t{1} << 40) + 5;
  const distribution all(GetParam(), n, 100'003);
  for (const std::int64_t g : {std::int64_t{0}, n / 3, n - 2, n - 1}) {
    const place at = all.place_of(g);
    EXPECT_EQ(all.global(at.pe, at.local), g);
  }
}

TEST(distribution, deals_cyclically_or_in_blocks) {
  const distribution cyclic(layout::cyclic, 7, 3);
  const distribution block(layout::block, 7, 3);
  EXPECT_EQ(cyclic.global(0, 2), 6);
  EXPECT_EQ(cyclic.n_local(0), 3);
  EXPECT_EQ(cyclic.n_local(2), 2);
  EXPECT_EQ(block.global(1, 0), 3);
  EXPECT_EQ(block.n_local(1), 3);
  EXPECT_EQ(block.n_local(2), 1);
}

TEST(distribution, leaves_pes_empty_where_there_are_too_few_indices) {
  const distribution block(layout::block, 5, 4);  // 2 + 2 + 1 + 0
  EXPECT_EQ(block.n_local(3), 0);
  EXPECT_EQ(distribution(layout::cyclic, 0, 4).n_local(0), 0);
  EXPECT_EQ(distribution(layout::block, 0, 4).n_local(0), 0);
}

}  // namespace
}  // namespace shoal
