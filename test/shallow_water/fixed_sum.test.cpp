// Goal: a sum has the same bits in any order and grouping, and is right.
#include "applications/shallow_water/fixed_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using shoal::swe::fixed_sum;

fixed_sum sum_of(const std::vector<double>& terms) {
  fixed_sum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

TEST(fixed_sum, does_not_depend_on_order_or_grouping) {
  std::mt19937_64 random(1);
  std::vector<double> terms;
  for (int i = 0; i < 10'000; ++i) {
    terms.push_back(
        std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), static_cast<int>(random() % 40) - 20));
  }
  const fixed_sum once = sum_of(terms);
  for (int i = 0; i < 10; ++i) {
    std::ranges::shuffle(terms, random);
    const auto cut = terms.begin() + static_cast<std::ptrdiff_t>(random() % terms.size());
    fixed_sum grouped = sum_of({terms.begin(), cut});
    const fixed_sum rest = sum_of({cut, terms.end()});
    grouped.add(fixed_sum(rest.whole(), rest.parts()));  // as a message would carry it
    EXPECT_EQ(grouped, once);
  }
  long double expected = 0;
  for (const double term : terms) expected += term;
  EXPECT_NEAR(once.value(), static_cast<double>(expected), 1e-9);
}

TEST(fixed_sum, carries_between_its_words) {
  EXPECT_EQ(sum_of({0.75, 0.5}).value(), 1.25);
  EXPECT_EQ(sum_of({-0.75, 0.5}).value(), -0.25);
  EXPECT_EQ(sum_of({-0.25, -0.75, 1}).value(), 0);
  EXPECT_EQ(sum_of({1e15, 1e-15, -1e15}).value(), std::floor(1e-15 * 0x1p64) * 0x1p-64);
  EXPECT_EQ(fixed_sum().value(), 0);
}

TEST(fixed_sum, adds_floats_exactly) {
  const float third = 1.0F / 3;
  fixed_sum sum;
  for (int i = 0; i < 1024; ++i) sum.add(third);
  EXPECT_EQ(sum.value(), 1024 * static_cast<double>(third));
}

}  // namespace
