// Goal: METIS and Scotch divide graphs of actors into parts of about equal weight with little weight between them,
// and keep fixed actors where they are. Method: graphs whose best parts are known, and random ones, sparse to the
// point of nothing.
// labels: modules
#include "shoal/dataflow/internal/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "shoal/substrate/library_kind.hpp"

namespace shoal::internal {
namespace {

std::string folder_of_modules() { return std::string(std::getenv("SHOAL_BUILD")) + "/lib/shoal"; }

class partition_by : public testing::TestWithParam<library_kind> {
protected:
  void SetUp() override {
    if (network::find_module(GetParam(), folder_of_modules()).file.empty()) GTEST_SKIP() << "there is no module";
  }
  std::vector<pe_id> pes_of(const actor_network& network, pe_id n_pes) const {
    return partition(network, n_pes, GetParam(), folder_of_modules());
  }
};

actor_network ring_of(std::uint32_t n) {
  actor_network ring;
  for (std::uint32_t i = 0; i < n; ++i) {
    ring.actors.push_back({1, -1});
    ring.channels.push_back({i, (i + 1) % n, 1});
  }
  return ring;
}

// With a channel to each neighbour and back.
actor_network grid_of(std::uint32_t n_rows, std::uint32_t n_columns) {
  actor_network grid;
  for (std::uint32_t i = 0; i < n_rows * n_columns; ++i) {
    grid.actors.push_back({1, -1});
    for (const std::uint32_t step : {1U, n_columns}) {
      const std::uint32_t other = i + step;
      if (other >= n_rows * n_columns || (step == 1 && other % n_columns == 0)) continue;
      grid.channels.push_back({i, other, 1});
      grid.channels.push_back({other, i, 1});
    }
  }
  return grid;
}

double cut_of(const actor_network& network, const std::vector<pe_id>& pes) {
  double cut = 0;
  for (const auto& each : network.channels) cut += pes[each.from] == pes[each.to] ? 0 : each.weight;
  return cut;
}

// The weight of the PE that has most, as a multiple of the mean.
double imbalance_of_pes(const actor_network& network, const std::vector<pe_id>& pes, pe_id n_pes) {
  std::vector<double> weights(static_cast<std::size_t>(n_pes), 0);
  for (std::size_t i = 0; i < pes.size(); ++i) weights[static_cast<std::size_t>(pes[i])] += network.actors[i].weight;
  return std::ranges::max(weights) * static_cast<double>(n_pes) / std::accumulate(weights.begin(), weights.end(), 0.0);
}

TEST_P(partition_by, cuts_a_ring_once_for_each_pe) {
  const actor_network ring = ring_of(64);
  for (const pe_id n_pes : {2, 4, 8}) {
    const std::vector<pe_id> pes = pes_of(ring, n_pes);
    EXPECT_LE(cut_of(ring, pes), static_cast<double>(n_pes) + 2);
    EXPECT_LE(imbalance_of_pes(ring, pes, n_pes), 1.13);
  }
}

TEST_P(partition_by, cuts_a_grid_along_short_lines) {
  const actor_network grid = grid_of(16, 16);
  for (const pe_id n_pes : {2, 3, 4, 7}) {
    const std::vector<pe_id> pes = pes_of(grid, n_pes);
    // n strips would need 32 channels for each of n - 1 lines; four squares need 64. Cyclic placement cuts 480.
    EXPECT_LE(cut_of(grid, pes), 32.0 * static_cast<double>(n_pes - 1)) << n_pes;
    EXPECT_LE(imbalance_of_pes(grid, pes, n_pes), 1.06) << n_pes;
  }
}

TEST_P(partition_by, weights_of_actors_count) {
  actor_network ring = ring_of(64);
  for (std::size_t i = 0; i < 16; ++i) ring.actors[i].weight = 9;
  const std::vector<pe_id> pes = pes_of(ring, 4);
  EXPECT_LE(imbalance_of_pes(ring, pes, 4), 1.2);
  EXPECT_LE(cut_of(ring, pes), 8);
}

TEST_P(partition_by, weights_of_channels_count) {
  // Eight chains of eight. Parts that hold two of them each are equal, whichever they are.
  actor_network ring = ring_of(64);
  for (auto& each : ring.channels) each.weight = each.to % 8 == 0 ? 1 : 100;
  EXPECT_LE(cut_of(ring, pes_of(ring, 4)), 8);
  EXPECT_EQ(cut_of(ring, pes_of(ring, 8)), 8);
}

TEST_P(partition_by, fixed_actors_stay_and_draw_others) {
  actor_network grid = grid_of(16, 16);
  for (std::size_t i = 0; i < 16; ++i) {
    grid.actors[i].pe = 3;  // the first row
    grid.actors[240 + i].pe = 1;  // the last
  }
  const std::vector<pe_id> pes = pes_of(grid, 4);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(pes[i], 3);
    EXPECT_EQ(pes[240 + i], 1);
  }
  EXPECT_LE(cut_of(grid, pes), 160);
  EXPECT_LE(imbalance_of_pes(grid, pes, 4), 1.02);
  EXPECT_GE(std::ranges::count(pes.begin() + 16, pes.begin() + 32, 3), 8) << "neighbours of the first row";
}

TEST_P(partition_by, heavy_actors_have_pes_of_their_own) {
  actor_network ring = ring_of(40);
  ring.actors[7].weight = 1000;
  ring.actors[20].weight = 500;
  ring.actors[21].weight = 100;
  ring.actors[21].pe = 0;
  const std::vector<pe_id> pes = pes_of(ring, 5);
  for (const std::size_t heavy : {7U, 20U, 21U}) EXPECT_EQ(std::ranges::count(pes, pes[heavy]), 1) << heavy;
  EXPECT_EQ(pes[21], 0);
}

TEST_P(partition_by, as_many_pes_as_actors_get_one_each) {
  for (const std::uint32_t n : {1U, 2U, 3U, 7U}) {
    std::vector<pe_id> pes = pes_of(ring_of(n), 7);
    std::ranges::sort(pes);
    EXPECT_EQ(std::ranges::unique(pes).begin(), pes.end());
  }
  EXPECT_TRUE(pes_of({}, 7).empty());
}

// Some have parts without an actor, channels of an actor to itself, several between two, weights of very different
// sizes.
TEST_P(partition_by, random_graphs_have_parts_that_are_the_same_each_time) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    random_engine random(seed, 1);
    actor_network network;
    const auto n_pes = static_cast<pe_id>(1 + random.below(40));
    const std::uint64_t n = 1 + random.below(120);
    for (std::uint64_t i = 0; i < n; ++i) {
      const double weight = random.below(4) == 0 ? 1e12 : 1e-3 + static_cast<double>(random.below(100));
      const bool is_fixed = random.below(6) == 0;
      network.actors.push_back(
          {weight, is_fixed ? static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes))) : -1});
    }
    for (std::uint64_t c = random.below(3 * n); c > 0; --c) {
      network.channels.push_back({static_cast<std::uint32_t>(random.below(n)),
                                  static_cast<std::uint32_t>(random.below(n)), random.below(3) == 0 ? 1e15 : 0.5});
    }
    const std::vector<pe_id> pes = pes_of(network, n_pes);
    ASSERT_EQ(pes.size(), n);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(pes[i] >= 0 && pes[i] < n_pes) << seed;
      ASSERT_TRUE(network.actors[i].pe < 0 || pes[i] == network.actors[i].pe) << seed;
    }
    std::ranges::reverse(network.channels);
    std::srand(static_cast<unsigned>(seed));
    ASSERT_EQ(pes_of(network, n_pes), pes) << seed;
  }
}

TEST_P(partition_by, random_numbers_of_the_program_go_on_as_before) {
  std::srand(5);
  const int first = std::rand();
  const int second = std::rand();
  std::srand(5);
  EXPECT_EQ(std::rand(), first);
  static_cast<void>(pes_of(grid_of(16, 16), 4));
  EXPECT_EQ(std::rand(), second);
}

INSTANTIATE_TEST_SUITE_P(libraries, partition_by, testing::Values(library_kind::metis, library_kind::scotch),
                         [](const auto& its) { return std::string(entry_of(its.param).name); });

TEST(partition, of_one_pe_needs_no_library) {
  EXPECT_EQ(partition(ring_of(3), 1, library_kind::metis, "/nowhere"), (std::vector<pe_id>{0, 0, 0}));
}

TEST(partition, without_the_module_says_what_to_install) {
  try {
    static_cast<void>(partition(ring_of(9), 2, library_kind::scotch, "/nowhere"));
    FAIL() << "there is a module";
  } catch (const setup_error& e) {
    EXPECT_NE(std::string(e.what()).find("no module for Scotch (shoal-scotch.so is not in /nowhere); build Shoal where "
                                         "libscotch-dev"),
              std::string::npos)
        << e.what();
  }
}

TEST(partition, weights_become_whole_numbers_whose_sum_does_not_overflow) {
  const std::vector<std::int32_t> scaled = scaled_weights({1e300, 2e300, 1e-300});
  EXPECT_NEAR(scaled.at(1), 2 * scaled.at(0), 1);
  EXPECT_EQ(scaled.at(2), 1);
  EXPECT_LE(std::int64_t{scaled.at(0)} + scaled.at(1) + scaled.at(2), INT32_MAX);
  EXPECT_TRUE(scaled_weights({}).empty());
}

}  // namespace
}  // namespace shoal::internal
