// Transposition: every variant transposes small matrices, and random ones larger than buffers, and the check finds a wrong
// entry.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "kernels/transpose/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::transposition {
namespace {

using test::graph_case;
using test::temp_folder;

TEST_ON_PES(transpose, variants_are_right_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      test::expect_all_right(w, describe_transpose(), {{"input", path}, {"distribution", distribution}});
    }
  }
}

TEST_ON_PES(transpose, variants_are_right_on_matrices_larger_than_buffers) {
  for (const std::string graph : {"er:n=3000,degree=30,directed=yes", "rmat:scale=12,factor=8,directed=yes"}) {
    test::expect_all_right(world::current(), describe_transpose(), {{"graph", graph}},
                           test::variants_run::with_messages);
  }
}

TEST_ON_PES(transpose, an_empty_matrix_stays_empty) {
  test::expect_all_right(world::current(), describe_transpose(), {{"graph", "er:n=0"}});
  test::expect_all_right(world::current(), describe_transpose(), {{"graph", "er:n=9,p=0"}});
}

// By both checks, the one for small matrices and the one for large ones.
TEST_ON_PES(transpose, wrong_answers_are_found) {
  world& w = world::current();
  problem p = make_problem(w, parse({{"graph", "er:n=41,p=0.5"}}));
  EXPECT_FALSE(equals_reference(w, p)) << "nothing has run";
  EXPECT_FALSE(equals_library(w, p)) << "nothing has run";
  run_actor(w, p);
  EXPECT_TRUE(equals_reference(w, p));
  EXPECT_TRUE(equals_library(w, p));
  const bool is_last = w.my_pe() == w.n_pes() - 1;
  std::vector<std::int64_t>& columns = p.transposed.columns;
  if (is_last) columns.front() = (columns.front() + 1) % 41;
  EXPECT_FALSE(equals_reference(w, p)) << "a wrong column on one PE";
  EXPECT_FALSE(equals_library(w, p)) << "a wrong column on one PE";
}

TEST_ON_PES(transpose, tells_what_it_did) {
  world& w = world::current();
  const auto kernel = describe_transpose().make(w, {{"graph", "er:n=40,p=0.5"}});
  std::string why;
  EXPECT_TRUE(test::is_right(w, *kernel, "actor", why)) << why;
  EXPECT_EQ(why, "the rows equal the serial reference's");
  std::ostringstream shown;
  kernel->show(w, shown);
  EXPECT_EQ(shown.str().starts_with("transposed a matrix of 40 rows and "), w.my_pe() == 0);
}

// The reference, by a graph and its opposite.
TEST_ON_PES(transpose, the_reference_turns_edges_round) {
  EXPECT_EQ(reference({{0, 1}, {0, 2}, {2, 1}}), (std::vector<entry>{{1, 0}, {1, 2}, {2, 0}}));
}

TEST_ON_PES(transpose, refuses_unknown_options) {
  try {
    describe_transpose().make(world::current(), {{"depth", "1"}});
    FAIL() << "nothing was refused";
  } catch (const setup_error& e) {
    EXPECT_STREQ(e.what(), "transpose has no option --depth");
  }
}

}  // namespace
}  // namespace shoal::kernels::transposition
