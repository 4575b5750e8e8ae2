// Topological sort: every variant sorts small matrices, and random ones larger than buffers, on the levels of the
// reference.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "kernels/toposort/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::toposort {
namespace {

using test::graph_case;
using test::temp_folder;

TEST_ON_PES(toposort, variants_are_right_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      test::expect_all_right(w, describe_toposort(), {{"input", path}, {"distribution", distribution}});
    }
  }
}

TEST_ON_PES(toposort, variants_are_right_on_matrices_larger_than_buffers) {
  for (const std::string graph : {"er:n=3000,degree=12", "rmat:scale=11,factor=4"}) {
    test::expect_all_right(world::current(), describe_toposort(), {{"graph", graph}},
                           test::variants_run::with_messages);
  }
}

TEST_ON_PES(toposort, an_empty_matrix_stays_empty) {
  test::expect_all_right(world::current(), describe_toposort(), {{"graph", "er:n=0"}});
}

// A way through all vertices has as many levels as vertices; a complete graph too; no edges, one.
TEST_ON_PES(toposort, has_the_levels_of_known_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  const auto levels = [&](std::int64_t n, const std::vector<entry>& edges) {
    const auto kernel =
        describe_toposort().make(w, {{"input", folder.write("a.mtx", test::matrix_market_text(n, edges))}});
    std::string why;
    EXPECT_TRUE(test::is_right(w, *kernel, "actor", why)) << why;
    return kernel->answer_json(w);
  };
  EXPECT_EQ(levels(7, {}), "\"levels\": 1");
  EXPECT_EQ(levels(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}), "\"levels\": 5");
  EXPECT_EQ(levels(9, test::complete_edges(9)), "\"levels\": 9");
}

TEST_ON_PES(toposort, a_wrong_answer_is_found) {
  world& w = world::current();
  const auto kernel = describe_toposort().make(w, {{"graph", "er:n=40,p=0.3"}});
  std::string why;
  kernel->prepare(w, "actor");
  EXPECT_FALSE(kernel->verify(w, why)) << "nothing has run";
  EXPECT_EQ(why, "rows or columns do not have places of their own");
  kernel->run(w, "actor");
  EXPECT_TRUE(kernel->verify(w, why)) << why;

  problem p = make_problem(w, parse({{"graph", "er:n=40,p=0.3"}}));
  run_actor(w, p);
  const auto is_sorted = [&] {
    return is_permutation(w, p.row_places) &&
           is_upper_triangular(w, permute(w, p.rows, p.row_places, p.column_places), main_diagonal::unit);
  };
  EXPECT_TRUE(is_sorted());
  for (std::int64_t& place : p.row_places.images) place = 39 - place;
  EXPECT_FALSE(is_sorted()) << "rows upside down";
}

std::string refusal_of(const option_list& options) {
  try {
    parse(options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(toposort, refuses_bad_options_in_one_line) {
  EXPECT_EQ(refusal_of({{"depth", "1"}}), "toposort has no option --depth");
  EXPECT_EQ(refusal_of({{"seed", "x"}}).find("--seed=x"), 0u);
}

}  // namespace
}  // namespace shoal::kernels::toposort
