// Random permutations in the simulator: many PEs, hostile conditions, and whether all orders are equally likely.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "kernels/randperm/problem.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/jobs.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::kernels::randperm;
using namespace shoal::test;
using shoal::world;

TEST(randperm_sim, variants_are_right_on_64_pes) {
  run_job(simulated(64), [](world& w) { expect_all_right(w, describe_randperm(), {{"entries", "500"}}); });
}

TEST(randperm_sim, variants_are_right_under_hostile_conditions) {
  for_seeds(40, [](std::uint64_t seed) {
    run_job(hostile(seed, {.n_mailboxes = 3}), [](world& w) {
      for (const char* entries : {"0", "1", "60"}) expect_all_right(w, describe_randperm(), {{"entries", entries}});
    });
  });
}

using variant_function = void (*)(world&, problem&);

// Chi-square of the 24 orders of four numbers, over this many seeds: 23 on average, and above 60 once in 30,000 times.
double chi_square(std::int64_t n_pes, variant_function variant) {
  constexpr int n_seeds = 2400;
  std::map<std::vector<std::uint32_t>, int> n_seen;
  run_job(simulated(n_pes), [&](world& w) {
    for (int seed = 1; seed <= n_seeds; ++seed) {
      problem p = make_problem(
          w, {.n_entries = static_cast<std::uint64_t>(4 / n_pes), .seed = static_cast<std::uint64_t>(seed)});
      variant(w, p);
      const auto order = w.gather(std::span<const std::uint32_t>(p.part));
      if (w.my_pe() == 0) ++n_seen[{order.values().begin(), order.values().end()}];
      w.deallocate(p.board);
    }
  });
  EXPECT_EQ(n_seen.size(), 24U);
  double sum = 0;
  for (const auto& [order, n] : n_seen) sum += (n - n_seeds / 24.0) * (n - n_seeds / 24.0) / (n_seeds / 24.0);
  return sum;
}

TEST(randperm_sim, all_orders_are_equally_likely) {
  for (const std::int64_t n_pes : {1, 2, 4}) {
    EXPECT_LT(chi_square(n_pes, run_actor), 60) << n_pes << " PEs";
    EXPECT_LT(chi_square(n_pes, run_scatter), 60) << n_pes << " PEs";
  }
}

}  // namespace
