// RandomAccess: the numbers are the benchmark's, every variant makes the table that the reference makes, and no PE looks
// ahead farther than it may.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/random_access/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::random_access {
namespace {

// From any place on, as by single steps; and all different, since the period is longer.
TEST_ON_PES(random_access, has_the_numbers_of_the_benchmark) {
  std::vector<std::uint64_t> expected = {1};
  while (expected.size() < 5'000) {
    const std::uint64_t last = expected.back();
    expected.push_back(last << 1 ^ ((last >> 63) != 0 ? 7 : 0));
  }
  for (const std::size_t from : {0, 1, 2, 62, 63, 64, 65, 127, 1'000, 4'321}) {
    random_powers numbers(from);
    for (std::size_t i = from; i < std::min<std::size_t>(from + 200, expected.size()); ++i) {
      ASSERT_EQ(numbers.next(), expected[i]) << "number " << i << ", from " << from;
    }
  }
  // x^64 = x^2 + x + 1, so squaring x^(2^k) six times from x leads there; the period is 1317624576693539401.
  EXPECT_EQ(random_powers(64).next(), 7u);
  EXPECT_EQ(random_powers(1'317'624'576'693'539'401u).next(), 1u);
  EXPECT_EQ(random_powers(1'317'624'576'693'539'402u).next(), 2u);
}

TEST_ON_PES(random_access, variants_are_right) {
  for (const std::string log2_words : {"1", "2", "5", "10"}) {
    for (const std::string updates : {"1", "7"}) {
      SCOPED_TRACE("2^" + log2_words + " words, " + updates + " updates a word");
      test::expect_all_right(world::current(), describe_random_access(),
                             {{"table-log2", log2_words}, {"updates-per-word", updates}});
    }
  }
}

TEST_ON_PES(random_access, variants_with_messages_are_right_on_tables_larger_than_buffers) {
  test::expect_all_right(world::current(), describe_random_access(), {{"table-log2", "15"}},
                         test::variants_run::with_messages);
}

TEST_ON_PES(random_access, a_wrong_word_is_found) {
  world& w = world::current();
  problem p = make_problem(w, parse({{"table-log2", "9"}}));
  fill(w, p);
  EXPECT_GT(w.sum(n_wrong(w, p)), 0) << "nothing has run";
  w.barrier();
  run_actor(w, p);
  w.barrier();
  EXPECT_EQ(w.sum(n_wrong(w, p)), 0);
  if (w.my_pe() == w.n_pes() - 1 && !p.part.empty()) p.part.back() ^= 1;
  EXPECT_EQ(w.sum(n_wrong(w, p)), 1);
}

std::string refusal_of(const option_list& options) {
  try {
    parse(options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(random_access, refuses_bad_options_in_one_line) {
  EXPECT_EQ(refusal_of({{"speed", "1"}}), "random_access has no option --speed");
  EXPECT_EQ(refusal_of({{"table-log2", "41"}}).find("--table-log2=41"), 0u);
  EXPECT_EQ(refusal_of({{"table-log2", "0"}}).find("--table-log2=0"), 0u);
  EXPECT_EQ(refusal_of({{"updates-per-word", "x"}}).find("--updates-per-word=x"), 0u);
}

}  // namespace
}  // namespace shoal::kernels::random_access
