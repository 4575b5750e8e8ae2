// The histogram in the simulator: many PEs, and hostile conditions.
#include <gtest/gtest.h>

#include "kernels/histogram/problem.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/jobs.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::test;
using shoal::world;

TEST(histogram_sim, variants_are_right_on_64_pes) {
  run_job(simulated(64),
          [](world& w) { expect_all_right(w, describe_histogram(), {{"updates", "2000"}, {"table", "100"}}); });
}

// Too many updates for each PE to recount those of all PEs: remote atomics are the check then.
TEST(histogram_sim, actor_and_lambda_are_right_on_1000_pes) {
  run_job(simulated(1000), [](world& w) {
    const std::unique_ptr<kernel> k = describe_histogram().make(w, {{"updates", "101"}, {"table", "3"}});
    std::string why;
    for (const char* variant : {"actor", "lambda"}) {
      EXPECT_TRUE(is_right(w, *k, variant, why)) << why;
      EXPECT_EQ(why, "every count equals a count by remote atomics");
    }
  });
}

TEST(histogram_sim, variants_are_right_under_hostile_conditions) {
  for_seeds(40, [](std::uint64_t seed) {
    run_job(hostile(seed, {.n_mailboxes = 2}), [](world& w) {
      expect_all_right(w, describe_histogram(), {{"updates", "200"}, {"table", "5"}, {"prefetch", "on"}});
    });
  });
}

}  // namespace
