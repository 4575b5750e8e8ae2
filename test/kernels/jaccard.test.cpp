// Jaccard similarity: every variant finds known ones on small graphs, and the reference's on random ones.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "kernels/jaccard/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::jaccard {
namespace {

using test::graph_case;
using test::temp_folder;

std::string answer_of(world& w, const option_list& options) { return test::answer_of(w, describe_jaccard(), options); }

TEST_ON_PES(jaccard, finds_what_is_known_of_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  const auto found = [&](std::int64_t n, const std::vector<entry>& edges) {
    return answer_of(w, {{"input", folder.write("a.mtx", test::matrix_market_text(n, edges))}});
  };
  EXPECT_EQ(found(0, {}), "\"sum\": 0, \"max\": 0");
  EXPECT_EQ(found(3, {{0, 1}}), "\"sum\": 0, \"max\": 0");
  // A complete graph: n - 2 common ones of n.
  EXPECT_EQ(found(4, test::complete_edges(4)), "\"sum\": 3, \"max\": 0.5");
  // Two triangles with a common edge: that has 2 of 4, the others 1 of 4.
  EXPECT_EQ(found(4, {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 2}}), "\"sum\": 1.5, \"max\": 0.5");
}

TEST_ON_PES(jaccard, equals_the_reference_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      answer_of(w, {{"input", path}, {"distribution", distribution}});
    }
  }
}

TEST_ON_PES(jaccard, compares_rows_larger_than_buffers) {
  world& w = world::current();
  for (const std::string graph : {"er:n=1500,degree=40", "rmat:scale=10,factor=8", "geometric:n=3000,degree=20"}) {
    const auto kernel = describe_jaccard().make(w, {{"graph", graph}});
    for (const std::string variant : {"conveyor", "actor", "lambda", "row_wise"}) {
      std::string why;
      EXPECT_TRUE(test::is_right(w, *kernel, variant, why)) << graph << ", " << variant << ": " << why;
    }
  }
}

TEST_ON_PES(jaccard, wrong_counts_are_found) {
  world& w = world::current();
  const auto kernel = describe_jaccard().make(w, {{"graph", "er:n=30,p=1"}});
  std::string why;
  kernel->prepare(w, "actor");
  EXPECT_FALSE(kernel->verify(w, why)) << "nothing has run";
  EXPECT_EQ(why, "435 edges differ from the serial reference");
  kernel->run(w, "actor");
  EXPECT_TRUE(kernel->verify(w, why)) << why;
  std::ostringstream shown;
  kernel->show(w, shown);
  if (w.my_pe() == 0) {
    EXPECT_EQ(shown.str(),
              "Jaccard similarity of 435 edges of 30 vertices: 406.000000000 in all, 0.933333333 at most\n");
  }
  kernel->run(w, "actor");  // without `prepare` the counts add up
  EXPECT_FALSE(kernel->verify(w, why));
}

TEST_ON_PES(jaccard, refuses_unknown_options) {
  try {
    describe_jaccard().make(world::current(), {{"depth", "1"}});
    FAIL() << "nothing was refused";
  } catch (const setup_error& e) {
    EXPECT_STREQ(e.what(), "jaccard has no option --depth");
  }
}

}  // namespace
}  // namespace shoal::kernels::jaccard
