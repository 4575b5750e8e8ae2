// RandomAccess in the simulator: many PEs, and hostile conditions.
#include <gtest/gtest.h>

#include <cstdint>

#include "kernels/random_access/problem.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/jobs.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::test;
using shoal::world;

TEST(random_access_sim, variants_are_right_on_64_pes) {
  run_job(simulated(64), [](world& w) { expect_all_right(w, describe_random_access(), {{"table-log2", "12"}}); });
}

TEST(random_access_sim, variants_are_right_under_hostile_conditions) {
  for_seeds(30, [](std::uint64_t seed) {
    run_job(hostile(seed, {.n_mailboxes = 2}), [](world& w) {
      expect_all_right(w, describe_random_access(), {{"table-log2", "8"}, {"updates-per-word", "3"}});
    });
  });
}

}  // namespace
