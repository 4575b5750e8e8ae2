// Random permutations: every variant gives each number once, and all forms with darts give the serial program's order.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/randperm/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/tests_on_pes.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::kernels::randperm;
using shoal::world;

TEST_ON_PES(randperm, reference_is_a_permutation_that_depends_on_the_seed) {
  problem p;
  p.given.n_entries = 50;
  p.n_pes = 3;
  std::vector<std::uint32_t> permutation = reference(p);
  p.given.seed = 2;
  EXPECT_NE(permutation, reference(p));
  std::vector<std::uint32_t> all(150);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_NE(permutation, all);
  std::ranges::sort(permutation);
  EXPECT_EQ(permutation, all);
}

TEST_ON_PES(randperm, variants_are_right_on_inputs_small_enough_to_print) {
  for (const char* entries : {"0", "1", "2", "5"}) {
    for (const char* seed : {"1", "2", "3"}) {
      shoal::test::expect_all_right(world::current(), describe_randperm(), {{"entries", entries}, {"seed", seed}});
    }
  }
}

// More than a buffer of 32 KiB for each of seven targets.
TEST_ON_PES(randperm, variants_are_right_beyond_a_buffer) {
  shoal::test::expect_all_right(world::current(), describe_randperm(), {{"entries", "40000"}});
}

TEST_ON_PES(randperm, is_not_verified_when_it_is_wrong) {
  world& w = world::current();
  const std::unique_ptr<kernel> k = describe_randperm().make(w, {{"entries", "100"}});
  std::string why;
  k->prepare(w, "actor");
  w.barrier();
  EXPECT_FALSE(k->verify(w, why)) << "nothing has run";
  k->run(w, "scatter");  // a permutation, but not that of darts
  EXPECT_FALSE(k->verify(w, why));
  EXPECT_NE(why.find("differ from the serial reference"), why.npos) << why;
  k->prepare(w, "scatter");
  w.barrier();
  k->run(w, "scatter");
  EXPECT_TRUE(k->verify(w, why)) << why;
  EXPECT_EQ(why, "every number comes once");
}

// 2 ln 2 throws for each dart.
TEST_ON_PES(randperm, reports_how_often_darts_were_thrown) {
  world& w = world::current();
  const std::unique_ptr<kernel> k = describe_randperm().make(w, {{"entries", "10000"}});
  k->prepare(w, "actor");
  w.barrier();
  const work done = k->run(w, "actor");
  EXPECT_EQ(done.n_operations, 10'000U);
  const double n_thrown = static_cast<double>(w.sum(done.n_messages)) / static_cast<double>(w.n_pes());
  EXPECT_NEAR(n_thrown, 13'863, 300);
}

std::string refusal(const option_list& options) {
  try {
    describe_randperm().make(world::current(), options);
    return "accepted";
  } catch (const shoal::setup_error& e) {
    return e.what();
  }
}

TEST_ON_PES(randperm, bad_options_are_named) {
  EXPECT_EQ(refusal({{"entries", "-1"}}), "--entries=-1 is not a whole number from 0 to 2147483647");
  EXPECT_EQ(refusal({{"seed", "x"}}), "--seed=x is not a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(refusal({{"table", "5"}}), "randperm has no option --table");
  if (world::current().n_pes() == 4) {
    EXPECT_EQ(refusal({{"entries", "2000000000"}}),
              "--entries=2000000000 on each of 4 PEs are more than messages have room for; give at most 1073741823");
  }
}

}  // namespace
