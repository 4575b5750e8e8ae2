// Index gather in the simulator: many PEs, and hostile conditions.
#include <gtest/gtest.h>

#include "kernels/index_gather/problem.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/jobs.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::test;
using shoal::world;

TEST(index_gather_sim, variants_are_right_on_64_pes) {
  run_job(simulated(64),
          [](world& w) { expect_all_right(w, describe_index_gather(), {{"reads", "2000"}, {"table", "100"}}); });
}

TEST(index_gather_sim, actor_and_lambda_are_right_on_1000_pes) {
  run_job(simulated(1000), [](world& w) {
    const std::unique_ptr<kernel> k = describe_index_gather().make(w, {{"reads", "40"}, {"table", "3"}});
    std::string why;
    for (const char* variant : {"actor", "lambda"}) EXPECT_TRUE(is_right(w, *k, variant, why)) << why;
  });
}

TEST(index_gather_sim, variants_are_right_under_hostile_conditions) {
  for_seeds(40, [](std::uint64_t seed) {
    run_job(hostile(seed, {.n_mailboxes = 5}), [](world& w) {
      const char* const bits = w.n_pes() % 2 == 0 ? "32" : "64";
      expect_all_right(w, describe_index_gather(), {{"reads", "100"}, {"table", "5"}, {"index-bits", bits}});
    });
  });
}

}  // namespace
