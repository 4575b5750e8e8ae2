// The histogram in the simulator: many PEs, and hostile conditions.
#include <gtest/gtest.h>

#include "kernels/histogram/problem.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/jobs.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::test;
using shoal::settings;
using shoal::world;

TEST(histogram_sim, variants_are_right_on_64_pes) {
  run_job(simulated(64),
          [](world& w) { expect_all_right(w, describe_histogram(), {{"updates", "2000"}, {"table", "100"}}); });
  run_job(simulated(64), [](world& w) {
    expect_all_right(w, describe_histogram(), {{"updates", "2000"}, {"table", "100"}, {"keys", "zipf:1.2"}});
  });
}

// Too many updates for each PE to recount those of all PEs: remote atomics are the check then.
TEST(histogram_sim, variants_with_messages_are_right_on_1000_pes) {
  run_job(simulated(1000), [](world& w) {
    const std::unique_ptr<kernel> k = describe_histogram().make(w, {{"updates", "101"}, {"table", "3"}});
    std::string why;
    for (const char* variant : {"actor", "lambda", "combining"}) {
      EXPECT_TRUE(is_right(w, *k, variant, why)) << why;
      EXPECT_EQ(why, "every count equals a count by remote atomics");
    }
  });
}

// An entry on each PE, each on its own node: most additions find another one to the same entry that has not left.
TEST(histogram_sim, combining_reports_what_it_sent) {
  settings apart = simulated(4);
  apart.node_size.value = 1;
  run_job(apart, [](world& w) {
    const std::unique_ptr<kernel> k = describe_histogram().make(w, {{"updates", "20000"}, {"table", "1"}});
    k->prepare(w, "combining");
    w.barrier();
    const work done = k->run(w, "combining");
    w.barrier();
    EXPECT_EQ(done.n_operations, 20'000U);
    EXPECT_GE(done.n_messages, 1U);
    EXPECT_LT(done.n_messages, 10'000U);
  });
}

TEST(histogram_sim, variants_are_right_under_hostile_conditions) {
  for_seeds(40, [](std::uint64_t seed) {
    run_job(hostile(seed, {.n_mailboxes = 2}), [](world& w) {
      for (const char* keys : {"uniform", "zipf:1"}) {
        expect_all_right(w, describe_histogram(),
                         {{"updates", "200"}, {"table", "5"}, {"keys", keys}, {"prefetch", "on"}});
      }
    });
  });
}

}  // namespace
