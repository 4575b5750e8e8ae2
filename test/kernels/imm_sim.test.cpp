// Influence in the simulator: many PEs, and hostile conditions.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kernels/imm/problem.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/jobs.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::test;
using shoal::world;

TEST(imm_sim, variants_are_right_on_64_pes) {
  run_job(simulated(64),
          [](world& w) { expect_all_right(w, describe_imm(), {{"graph", "rmat:scale=10,factor=4"}, {"seeds", "5"}}); });
}

TEST(imm_sim, variants_are_right_under_hostile_conditions) {
  for_seeds(30, [](std::uint64_t seed) {
    run_job(hostile(seed, {.n_mailboxes = 4}), [&](world& w) {
      const std::string graph = "er:n=60,degree=5,seed=" + std::to_string(seed);
      expect_all_right(w, describe_imm(), {{"graph", graph}, {"seeds", "3"}});
    });
  });
}

}  // namespace
