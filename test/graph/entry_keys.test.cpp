// Goal: keys keep row and column, and are sorted in place with their values. Method: compared with std::sort.
// labels: graph
#include "shoal/graph/internal/entry_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"

namespace shoal::internal {
namespace {

TEST(entry_keys, keep_rows_and_columns_in_order) {
  for (const auto& [n_rows, n_columns] : {std::pair<std::int64_t, std::int64_t>{3, 3},
                                          {3, 1000},
                                          {1000, 3},
                                          {1024, 1025},
                                          {3, std::int64_t{1} << 62},
                                          {std::int64_t{1} << 31, std::int64_t{1} << 32},
                                          {std::int64_t{1} << 32, std::int64_t{1} << 32}}) {
    const entry_keys keys(n_rows, n_columns);
    ASSERT_TRUE(keys.fit());
    std::uint64_t last = 0;
    for (const std::int64_t row : {std::int64_t{0}, n_rows / 2, n_rows - 1}) {
      for (const std::int64_t column : {std::int64_t{0}, n_columns / 2, n_columns - 1}) {
        const std::int64_t key = keys.key(row, column);
        EXPECT_EQ(keys.row(key), row);
        EXPECT_EQ(keys.column(key), column);
        EXPECT_GE(static_cast<std::uint64_t>(key), last);
        EXPECT_LE(std::bit_width(static_cast<std::uint64_t>(key)), keys.n_bits());
        last = static_cast<std::uint64_t>(key);
      }
    }
  }
  EXPECT_FALSE(entry_keys(std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1).fit());
  EXPECT_TRUE(entry_keys(0, 0).fit());
  EXPECT_TRUE(entry_keys(1, INT64_MAX).fit());
  EXPECT_EQ(entry_keys(1, INT64_MAX).column(entry_keys(1, INT64_MAX).key(0, INT64_MAX - 1)), INT64_MAX - 1);
}

std::int64_t random_key(random_engine& random, int n_bits) {
  return n_bits == 0 ? 0 : static_cast<std::int64_t>(random() >> (64 - n_bits));
}

TEST(entry_keys, are_sorted_like_by_the_standard_library) {
  random_engine random(1);
  for (const int n_bits : {0, 1, 7, 8, 9, 16, 23, 40, 63, 64}) {
    for (const std::size_t n : {0, 1, 2, 63, 64, 65, 300, 20'000}) {
      std::vector<std::int64_t> keys(n);
      for (std::int64_t& key : keys) key = random_key(random, n_bits);
      std::vector<std::int64_t> expected = keys;
      std::sort(expected.begin(), expected.end(), [](std::int64_t a, std::int64_t b) {
        return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
      });
      sort_keys(keys, n_bits);
      EXPECT_EQ(keys, expected) << n << " keys of " << n_bits << " bits";
    }
  }
}

// Few different keys and few different values, so that both occur again and again; NaN and both zeros among them.
TEST(entry_keys, take_their_values_along) {
  random_engine random(2);
  const std::vector<double> values = {0.0, -0.0, 1.5, -2.0, std::numeric_limits<double>::quiet_NaN()};
  for (const int n_bits : {0, 3, 8, 11, 30}) {
    for (const std::size_t n : {0, 1, 64, 1'000, 20'000}) {
      std::vector<std::pair<std::int64_t, double>> expected(n);
      for (auto& [key, value] : expected) {
        key = random_key(random, n_bits);
        value = values[random.below(values.size())];
      }
      std::vector<std::int64_t> keys(n);
      std::vector<double> with(n);
      for (std::size_t i = 0; i < n; ++i) std::tie(keys[i], with[i]) = expected[i];
      std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : std::strong_order(a.second, b.second) < 0;
      });
      sort_keys(keys, with, n_bits);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(keys[i], expected[i].first) << n << " keys of " << n_bits << " bits, key " << i;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(with[i]), std::bit_cast<std::uint64_t>(expected[i].second));
      }
    }
  }
}

}  // namespace
}  // namespace shoal::internal
