// Cores: every variant finds known ones on small graphs, and the reference's on random ones.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "kernels/kcore/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::kcore {
namespace {

using test::graph_case;
using test::temp_folder;

TEST_ON_PES(kcore, finds_what_is_known_of_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  const auto found = [&](std::int64_t n, const std::vector<entry>& edges) {
    return test::answer_of(w, describe_kcore(), {{"input", folder.write("a.mtx", test::matrix_market_text(n, edges))}});
  };
  EXPECT_EQ(found(0, {}), "\"innermost\": 0, \"vertices\": 0");
  EXPECT_EQ(found(5, {}), "\"innermost\": 0, \"vertices\": 5");
  EXPECT_EQ(found(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}), "\"innermost\": 1, \"vertices\": 5");
  EXPECT_EQ(found(5, {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {4, 3}}), "\"innermost\": 2, \"vertices\": 3");
  EXPECT_EQ(found(6, test::complete_edges(6)), "\"innermost\": 5, \"vertices\": 6");
}

TEST_ON_PES(kcore, equal_the_reference_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      test::answer_of(w, describe_kcore(), {{"input", path}, {"distribution", distribution}});
    }
  }
}

TEST_ON_PES(kcore, are_found_in_graphs_larger_than_buffers) {
  world& w = world::current();
  for (const std::string graph : {"er:n=5000,degree=3", "rmat:scale=11,factor=8", "geometric:n=3000,degree=10"}) {
    SCOPED_TRACE(graph);
    test::answer_of(w, describe_kcore(), {{"graph", graph}});
  }
}

// The check for large graphs.
TEST_ON_PES(kcore, are_the_same_by_h_indices) {
  world& w = world::current();
  for (const std::string graph : {"er:n=300,degree=6", "rmat:scale=8,factor=6", "stars:leaves=3x4x5,loop=hub"}) {
    problem p = make_problem(w, parse({{"graph", graph}}));
    run_actor(w, p);
    EXPECT_EQ(cores_by_h_index(w, p), p.cores) << graph;
  }
}

TEST_ON_PES(kcore, wrong_ones_are_found) {
  world& w = world::current();
  const auto kernel = describe_kcore().make(w, {{"graph", "er:n=50,p=1"}});
  std::string why;
  kernel->prepare(w, "actor");
  EXPECT_FALSE(kernel->verify(w, why)) << "nothing has run";
  EXPECT_NE(why.find("differ from the serial reference"), std::string::npos) << why;
  kernel->run(w, "actor");
  EXPECT_TRUE(kernel->verify(w, why)) << why;
  std::ostringstream shown;
  kernel->show(w, shown);
  if (w.my_pe() == 0) {
    EXPECT_EQ(shown.str(), "the innermost core of 50 vertices is core 49, with 50 vertices\n");
  }
}

TEST_ON_PES(kcore, refuse_unknown_options) {
  try {
    describe_kcore().make(world::current(), {{"depth", "1"}});
    FAIL() << "nothing was refused";
  } catch (const setup_error& e) {
    EXPECT_STREQ(e.what(), "kcore has no option --depth");
  }
}

}  // namespace
}  // namespace shoal::kernels::kcore
