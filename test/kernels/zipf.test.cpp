// Goal: ranks follow Zipf's law, a seed means one sequence, and no two ranks share an entry.
#include "kernels/histogram/zipf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace {

using shoal::random_engine;
using shoal::kernels::histogram::spread_ranks;
using shoal::kernels::histogram::zipf_ranks;

// The first rank of each of the bins that a test counts in: every one of the first ranks, then ranges that double.
std::vector<std::uint64_t> bins_of(std::uint64_t n) {
  std::vector<std::uint64_t> first;
  for (std::uint64_t rank = 1; rank <= n; rank += rank < 16 ? 1 : rank) first.push_back(rank);
  return first;
}

std::size_t bin_of(const std::vector<std::uint64_t>& first, std::uint64_t rank) {
  return static_cast<std::size_t>(std::ranges::upper_bound(first, rank) - first.begin() - 1);
}

// The parts of all draws that the bins should get.
std::vector<double> parts_by_law(const std::vector<std::uint64_t>& first, std::uint64_t n, double exponent) {
  std::vector<double> parts(first.size());
  double sum = 0;
  for (std::uint64_t rank = n; rank > 0; --rank) {
    const double weight = std::pow(static_cast<double>(rank), -exponent);
    parts[bin_of(first, rank)] += weight;
    sum += weight;
  }
  for (double& part : parts) part /= sum;
  return parts;
}

// Pearson's chi-square over the bins that expect at least five draws, in standard deviations above its mean.
double excess_of_chi_square(std::uint64_t n, double exponent) {
  constexpr int n_draws = 200'000;
  const std::vector<std::uint64_t> first = bins_of(n);
  const std::vector<double> parts = parts_by_law(first, n, exponent);
  std::vector<int> counts(first.size());
  const zipf_ranks ranks(n, exponent);
  random_engine random(1);
  for (int i = 0; i < n_draws; ++i) {
    const std::uint64_t rank = ranks.draw(random);
    if (rank < 1 || rank > n) return HUGE_VAL;
    ++counts[bin_of(first, rank)];
  }
  double chi_square = 0;
  double n_bins = 0;
  double rare_part = 0;
  int n_rare = 0;
  for (std::size_t bin = 0; bin < first.size(); ++bin) {
    const double expected = parts[bin] * n_draws;
    if (expected < 5) {
      rare_part += parts[bin];
      n_rare += counts[bin];
      continue;
    }
    chi_square += (counts[bin] - expected) * (counts[bin] - expected) / expected;
    ++n_bins;
  }
  // Together they are one more number that must be right.
  if (n_rare > rare_part * n_draws + 5 * std::sqrt(rare_part * n_draws) + 1) return HUGE_VAL;
  return n_bins < 2 ? 0 : (chi_square - (n_bins - 1)) / std::sqrt(2 * (n_bins - 1));
}

TEST(zipf, ranks_follow_the_law) {
  for (const double exponent : {0.01, 0.5, 0.8, 0.999999999, 1.0, 1.000000001, 1.2, 2.0, 3.5, 10.0}) {
    for (const std::uint64_t n : {2, 3, 16, 1000, 1 << 20}) {
      EXPECT_LT(excess_of_chi_square(n, exponent), 4) << "exponent " << exponent << ", " << n << " ranks";
    }
  }
}

// For an exponent of 1 the sum of weights is the logarithm and Euler's constant.
TEST(zipf, ranks_follow_the_law_beyond_what_can_be_summed) {
  constexpr int n_draws = 100'000;
  const std::uint64_t n = std::uint64_t{1} << 50;
  const zipf_ranks ranks(n, 1);
  random_engine random(1);
  int n_low = 0;
  for (int i = 0; i < n_draws; ++i) {
    const std::uint64_t rank = ranks.draw(random);
    ASSERT_GE(rank, 1U);
    ASSERT_LE(rank, n);
    if (rank <= std::uint64_t{1} << 25) ++n_low;
  }
  const double part = (25 * std::numbers::ln2 + std::numbers::egamma) / (50 * std::numbers::ln2 + std::numbers::egamma);
  EXPECT_NEAR(n_low, part * n_draws, 5 * std::sqrt(part * (1 - part) * n_draws));
}

TEST(zipf, a_single_rank_is_always_drawn) {
  for (const double exponent : {0.01, 1.0, 10.0}) {
    const zipf_ranks ranks(1, exponent);
    random_engine random(1);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(ranks.draw(random), 1U);
  }
}

TEST(zipf, a_seed_means_one_sequence) {
  const zipf_ranks ranks(1000, 1.2);
  const auto draw = [&](std::uint64_t seed, std::uint64_t stream) {
    random_engine random(seed, stream);
    std::vector<std::uint64_t> drawn;
    for (int i = 0; i < 100; ++i) drawn.push_back(ranks.draw(random));
    return drawn;
  };
  EXPECT_EQ(draw(1, 2), draw(1, 2));
  EXPECT_NE(draw(1, 2), draw(1, 3));
  EXPECT_NE(draw(1, 2), draw(2, 2));
}

TEST(spread, each_entry_belongs_to_one_rank) {
  const auto expect_bijection = [](std::uint64_t n) {
    const spread_ranks spread(n);
    std::vector<bool> is_taken(n);
    for (std::uint64_t rank = 1; rank <= n; ++rank) {
      const std::uint64_t entry = spread.entry_of(rank);
      ASSERT_LT(entry, n);
      ASSERT_FALSE(is_taken[entry]) << "entry " << entry << " of " << n;
      is_taken[entry] = true;
    }
  };
  for (std::uint64_t n = 1; n <= 300; ++n) expect_bijection(n);
  for (const std::uint64_t n : {1 << 16, 30'030, 3 * 349'526}) expect_bijection(n);
}

TEST(spread, large_tables_do_not_overflow) {
  const std::uint64_t n = (std::uint64_t{1} << 52) - 1;
  const spread_ranks spread(n);
  EXPECT_EQ((spread.entry_of(n) + spread.entry_of(2)) % n, 0U) << "ranks n and 2 are one step from rank 1";
}

TEST(spread, frequent_entries_lie_on_all_pes_and_far_apart) {
  constexpr std::uint64_t n_pes = 12;
  constexpr std::uint64_t n = n_pes * 1000;
  const spread_ranks spread(n);
  std::vector<std::uint64_t> slots;
  std::vector<bool> is_hit(n_pes);
  for (std::uint64_t rank = 1; rank <= n_pes; ++rank) {
    const std::uint64_t entry = spread.entry_of(rank);
    EXPECT_FALSE(is_hit[entry % n_pes]) << "rank " << rank;
    is_hit[entry % n_pes] = true;
    slots.push_back(entry / n_pes);
  }
  std::ranges::sort(slots);
  for (std::size_t i = 1; i < slots.size(); ++i) EXPECT_GT(slots[i], slots[i - 1] + 16) << "within two cache lines";
}

}  // namespace
