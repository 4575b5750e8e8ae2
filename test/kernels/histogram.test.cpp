// Compares the histogram's variants with the serial reference, on real PEs.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/histogram/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/tests_on_pes.hpp"

namespace {

using namespace shoal::kernels;
using namespace shoal::kernels::histogram;
using shoal::world;

using variant_function = void (*)(world&, problem&);
constexpr variant_function variants[] = {
    run_agp,      run_agp_nb, run_conveyor, run_exstack,
    run_exstack2, run_actor,  run_lambda,   [](world& w, problem& p) { run_combining(w, p); }};
constexpr std::size_t n_one_sided = 2;  // that come first

void expect_reference(const parameters& given) {
  world& w = world::current();
  problem p = make_problem(w, given);
  const std::vector<std::int64_t> expected = reference(given, w.n_pes(), w.my_pe());
  for (std::size_t i = w.is_one_sided() ? 0 : n_one_sided; i < std::size(variants); ++i) {
    std::ranges::fill(p.counts, 0);
    w.barrier();
    variants[i](w, p);
    w.barrier();
    EXPECT_EQ(std::vector(p.counts.begin(), p.counts.end()), expected) << "variant " << i;
  }
}

// Twelve updates of a table of six entries, by hand: seed 1, two PEs, PE p owns every second entry.
TEST_ON_PES(histogram, reference_counts_what_can_be_counted_by_hand) {
  const parameters tiny{.n_updates = 6, .table_size = 3};
  std::vector<std::int64_t> counts(6);
  for (const shoal::pe_id pe : {0, 1}) {
    update_stream updates(tiny, 2, pe);
    for (int i = 0; i < 6; ++i) {
      const update u = updates.next();
      ASSERT_LT(u.slot, 3U);
      ASSERT_LT(u.pe, 2U);
      ++counts[2 * u.slot + u.pe];
    }
  }
  EXPECT_EQ(reference(tiny, 2, 0), (std::vector{counts[0], counts[2], counts[4]}));
  EXPECT_EQ(reference(tiny, 2, 1), (std::vector{counts[1], counts[3], counts[5]}));
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 12);
}

TEST_ON_PES(histogram, variants_equal_the_reference_on_inputs_small_enough_to_print) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    expect_reference({.n_updates = 1, .table_size = 1, .seed = seed});
    expect_reference({.n_updates = 7, .table_size = 2, .seed = seed});
    expect_reference({.n_updates = 7, .table_size = 2, .zipf_exponent = 1, .seed = seed});
  }
}

// More than a buffer of 32 KiB for each of seven targets.
TEST_ON_PES(histogram, variants_equal_the_reference_beyond_a_buffer) {
  expect_reference({.n_updates = 100'000, .table_size = 1000, .seed = 5});
  expect_reference({.n_updates = 100'000, .table_size = 1000, .zipf_exponent = 0.8, .seed = 5});
}

TEST_ON_PES(histogram, prefetching_changes_nothing) {
  expect_reference({.n_updates = 20'000, .table_size = 100'000, .seed = 6, .prefetches = true});
  expect_reference({.n_updates = 20'000, .table_size = 100'000, .zipf_exponent = 1.2, .seed = 6, .prefetches = true});
}

TEST_ON_PES(histogram, kernel_verifies_every_variant) {
  for (const char* keys : {"uniform", "zipf:1.2"}) {
    shoal::test::expect_all_right(world::current(), describe_histogram(),
                                  {{"updates", "20000"}, {"table", "300"}, {"keys", keys}, {"seed", "7"}});
  }
}

TEST_ON_PES(histogram, kernel_notices_wrong_counts) {
  world& w = world::current();
  const std::unique_ptr<kernel> k = describe_histogram().make(w, {{"updates", "100"}, {"table", "10"}});
  std::string why;
  k->prepare(w, "actor");
  w.barrier();
  EXPECT_FALSE(k->verify(w, why)) << "nothing was counted";
  k->run(w, "actor");
  w.barrier();
  EXPECT_TRUE(k->verify(w, why)) << why;
  k->run(w, "actor");
  w.barrier();
  EXPECT_FALSE(k->verify(w, why)) << "everything was counted twice";
  EXPECT_NE(why.find("differ from a serial recount; on PE 0 the first is count "), why.npos) << why;
}

// The check for large problems without remote atomics.
TEST_ON_PES(histogram, checksum_tells_right_counts_from_wrong_ones) {
  world& w = world::current();
  problem p = make_problem(w, {.n_updates = 1000, .table_size = 7});
  EXPECT_FALSE(has_checksum_of_updates(w, p)) << "nothing was counted";
  run_actor(w, p);
  EXPECT_TRUE(has_checksum_of_updates(w, p));
  if (w.my_pe() == 0) {
    ++p.counts[0];
    --p.counts[6];
  }
  EXPECT_FALSE(has_checksum_of_updates(w, p)) << "one counted in another's place";

  problem skewed = make_problem(w, {.n_updates = 1000, .table_size = 7, .zipf_exponent = 1.2});
  EXPECT_FALSE(has_checksum_of_updates(w, skewed)) << "nothing was counted";
  run_combining(w, skewed);
  EXPECT_TRUE(has_checksum_of_updates(w, skewed));
}

std::string refusal(const option_list& options) {
  try {
    parse(options);
    return "accepted";
  } catch (const shoal::setup_error& e) {
    return e.what();
  }
}

TEST_ON_PES(histogram, bad_options_are_named) {
  EXPECT_EQ(refusal({{"updates", "0"}}), "--updates=0 is not a whole number from 1 to 1000000000000");
  EXPECT_EQ(refusal({{"table", "ten"}}), "--table=ten is not a whole number from 1 to 4294967295");
  for (const std::string keys :
       {"", "zipf", "zipf:", "zipf:0", "zipf:-1", "zipf:11", "zipf:nan", "zipf:1.2x", "normal"}) {
    EXPECT_EQ(refusal({{"keys", keys}}), "--keys=" + keys +
                                             " is neither uniform nor zipf:EXPONENT with an exponent "
                                             "from 0.01 to 10, as in zipf:1.2");
  }
  EXPECT_EQ(refusal({{"prefetch", "maybe"}}), "--prefetch=maybe is none of auto, on, off");
  EXPECT_EQ(refusal({{"reads", "5"}}), "histogram has no option --reads");
}

}  // namespace
