// Permutation of matrices: every variant permutes small ones, and random ones larger than buffers, and the check finds a wrong
// entry.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "kernels/permute/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::permuting {
namespace {

using test::graph_case;
using test::temp_folder;

TEST_ON_PES(permute, variants_are_right_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      test::expect_all_right(w, describe_permute(), {{"input", path}, {"distribution", distribution}});
    }
  }
}

TEST_ON_PES(permute, variants_are_right_on_matrices_larger_than_buffers) {
  for (const std::string graph : {"er:n=3000,degree=30,directed=yes", "rmat:scale=12,factor=8,directed=yes"}) {
    test::expect_all_right(world::current(), describe_permute(), {{"graph", graph}}, test::variants_run::with_messages);
  }
}

TEST_ON_PES(permute, an_empty_matrix_stays_empty) {
  test::expect_all_right(world::current(), describe_permute(), {{"graph", "er:n=0"}});
  test::expect_all_right(world::current(), describe_permute(), {{"graph", "er:n=9,p=0"}});
}

// By both checks, the one for small matrices and the one for large ones.
TEST_ON_PES(permute, wrong_answers_are_found) {
  world& w = world::current();
  problem p = make_problem(w, parse({{"graph", "er:n=41,p=0.5"}}));
  EXPECT_FALSE(equals_reference(w, p)) << "nothing has run";
  EXPECT_FALSE(equals_library(w, p)) << "nothing has run";
  run_actor(w, p);
  EXPECT_TRUE(equals_reference(w, p));
  EXPECT_TRUE(equals_library(w, p));
  const bool is_last = w.my_pe() == w.n_pes() - 1;
  std::vector<std::int64_t>& columns = p.permuted.columns;
  if (is_last) columns.front() = (columns.front() + 1) % 41;
  EXPECT_FALSE(equals_reference(w, p)) << "a wrong column on one PE";
  EXPECT_FALSE(equals_library(w, p)) << "a wrong column on one PE";
}

TEST_ON_PES(permute, tells_what_it_did) {
  world& w = world::current();
  const auto kernel = describe_permute().make(w, {{"graph", "er:n=40,p=0.5"}});
  std::string why;
  EXPECT_TRUE(test::is_right(w, *kernel, "actor", why)) << why;
  EXPECT_EQ(why, "the rows equal the serial reference's");
  std::ostringstream shown;
  kernel->show(w, shown);
  EXPECT_EQ(shown.str().starts_with("permuted a matrix of 40 rows and "), w.my_pe() == 0);
}

TEST_ON_PES(permute, the_reference_looks_up_both_images) {
  EXPECT_EQ(reference({{0, 1}, {0, 2}, {2, 1}}, {1, 2, 0}, {2, 0, 1}), (std::vector<entry>{{0, 0}, {1, 0}, {1, 1}}));
}

TEST_ON_PES(permute, has_permutations_that_depend_on_the_seed) {
  world& w = world::current();
  const problem one = make_problem(w, parse({{"graph", "er:n=60,degree=5"}}));
  const problem other = make_problem(w, parse({{"graph", "er:n=60,degree=5"}, {"seed", "7"}}));
  EXPECT_FALSE(w.max(static_cast<int>(one.rows.images != other.rows.images)) == 0);
  EXPECT_TRUE(is_permutation(w, one.rows));
  EXPECT_TRUE(is_permutation(w, one.columns));
}

TEST_ON_PES(permute, refuses_unknown_options) {
  try {
    describe_permute().make(world::current(), {{"depth", "1"}});
    FAIL() << "nothing was refused";
  } catch (const setup_error& e) {
    EXPECT_STREQ(e.what(), "permute has no option --depth");
  }
}

}  // namespace
}  // namespace shoal::kernels::permuting
