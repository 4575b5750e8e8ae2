// Compares index gather's variants with the serial reference, on real PEs.
// pes: 1 2 3 4 7
#include "kernels/index_gather/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "shoal/base/setup_error.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/tests_on_pes.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::kernels::index_gather;
using shoal::world;

using variant_function = void (*)(world&, problem&);
void make_and_run_array(world& w, problem& p) {
  p.global = std::make_unique<global_reads>(w, p);
  EXPECT_TRUE(p.global->n_by_message <= p.requests.size());
  run_array(w, p);
}
constexpr variant_function variants[] = {run_agp,      run_agp_nb, run_conveyor, run_exstack,
                                         run_exstack2, run_actor,  run_lambda,   make_and_run_array};
constexpr std::size_t n_one_sided = 2;  // that come first

void expect_reference(parameters given) {
  world& w = world::current();
  for (const int index_bits : {32, 64}) {
    given.index_bits = index_bits;
    problem p = make_problem(w, given);
    const std::vector<std::int64_t> expected = reference(p.requests, w.n_pes());
    for (std::size_t i = w.is_one_sided() ? 0 : n_one_sided; i < std::size(variants); ++i) {
      std::ranges::fill(p.target, 0);
      w.barrier();
      variants[i](w, p);
      w.barrier();
      EXPECT_EQ(p.target, expected) << "variant " << i << ", " << index_bits << " bits";
    }
  }
}

TEST_ON_PES(index_gather, reference_gives_minus_one_minus_the_global_index) {
  const std::vector<request> requests = {{.index = 0, .pe = 0}, {.index = 0, .pe = 2}, {.index = 4, .pe = 1}};
  EXPECT_EQ(reference(requests, 3), (std::vector<std::int64_t>{-1, -3, -14}));
}

TEST_ON_PES(index_gather, table_holds_what_the_reference_says) {
  world& w = world::current();
  const problem p = make_problem(w, {.n_reads = 1, .table_size = 10});
  const auto me = static_cast<std::uint32_t>(w.my_pe());
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(p.part[i], reference(std::vector<request>{{i, me}}, w.n_pes()).front());
  }
}

TEST_ON_PES(index_gather, variants_equal_the_reference_on_inputs_small_enough_to_print) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    expect_reference({.n_reads = 1, .table_size = 1, .seed = seed});
    expect_reference({.n_reads = 7, .table_size = 2, .seed = seed});
  }
}

// More than a buffer of 32 KiB for each of seven targets.
TEST_ON_PES(index_gather, variants_equal_the_reference_beyond_a_buffer) {
  expect_reference({.n_reads = 100'000, .table_size = 1000, .seed = 5});
}

// So large that an array fetches ahead.
TEST_ON_PES(index_gather, variants_equal_the_reference_on_a_table_beyond_the_caches) {
  expect_reference({.n_reads = 10'007, .table_size = 1'100'000, .seed = 6});
}

TEST_ON_PES(index_gather, kernel_verifies_every_variant) {
  for (const char* bits : {"32", "64"}) {
    shoal::test::expect_all_right(world::current(), describe_index_gather(),
                                  {{"reads", "20000"}, {"table", "300"}, {"seed", "7"}, {"index-bits", bits}});
  }
}

TEST_ON_PES(index_gather, kernel_notices_wrong_values) {
  world& w = world::current();
  const std::unique_ptr<kernel> k = describe_index_gather().make(w, {{"reads", "9"}, {"table", "3"}});
  std::string why;
  k->prepare(w, "actor");
  w.barrier();
  EXPECT_FALSE(k->verify(w, why)) << "nothing was read";
  if (w.my_pe() == 0) {
    EXPECT_NE(why.find("differ from what the table holds there; on PE 0 the first is read 0: 0 instead"), why.npos)
        << why;
  }
  // The loop reads this PE's own part, which is the same table only if there is no other PE.
  k->run(w, "loop");
  w.barrier();
  EXPECT_EQ(k->verify(w, why), w.n_pes() == 1);
}

std::string refusal(const option_list& options) {
  try {
    parse(options);
    return "accepted";
  } catch (const shoal::setup_error& e) {
    return e.what();
  }
}

TEST_ON_PES(index_gather, bad_options_are_named) {
  EXPECT_EQ(refusal({{"reads", "-1"}}), "--reads=-1 is not a whole number from 1 to 4294967295");
  EXPECT_EQ(refusal({{"index-bits", "16"}}), "--index-bits=16 is neither 32 nor 64");
  EXPECT_EQ(refusal({{"updates", "5"}}), "index_gather has no option --updates");
}

}  // namespace
