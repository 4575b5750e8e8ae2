// Connected components: every variant finds known ones on small graphs, and the reference's on random ones.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "kernels/components/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::components {
namespace {

using test::graph_case;
using test::temp_folder;

std::string answer_of(world& w, const option_list& options) {
  return test::answer_of(w, describe_components(), options);
}

TEST_ON_PES(components, finds_what_is_known_of_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  const auto found = [&](std::int64_t n, const std::vector<entry>& edges) {
    return answer_of(w, {{"input", folder.write("a.mtx", test::matrix_market_text(n, edges))}});
  };
  EXPECT_EQ(found(0, {}), "\"components\": 0");
  EXPECT_EQ(found(5, {}), "\"components\": 5");
  EXPECT_EQ(found(5, {{0, 0}, {3, 3}}), "\"components\": 5");
  EXPECT_EQ(found(5, {{4, 0}, {0, 4}, {1, 3}}), "\"components\": 3");
  EXPECT_EQ(found(6, {{1, 0}, {2, 1}, {3, 2}, {5, 4}}), "\"components\": 2");
  EXPECT_EQ(found(6, test::complete_edges(6)), "\"components\": 1");
}

TEST_ON_PES(components, equal_the_reference_on_all_small_graphs) {
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

// About as many components as vertices, a giant one beside small ones, and one alone.
TEST_ON_PES(components, are_found_in_graphs_larger_than_buffers) {
  world& w = world::current();
  for (const std::string graph : {"er:n=20000,degree=0.5", "er:n=20000,degree=1.2", "er:n=5000,degree=20",
                                  "rmat:scale=13,factor=2", "geometric:n=5000,degree=4"}) {
    SCOPED_TRACE(graph);
    answer_of(w, {{"graph", graph}});
  }
}

// A way through all vertices in an order without order, whose tree may become deep.
TEST_ON_PES(components, follow_long_ways) {
  world& w = world::current();
  temp_folder folder(w);
  constexpr std::int64_t n = 3'001;
  std::vector<entry> edges;
  for (std::int64_t i = 0; i + 1 < n; ++i) edges.push_back({i * 1'234 % n, (i + 1) * 1'234 % n});
  EXPECT_EQ(answer_of(w, {{"input", folder.write("a.mtx", test::matrix_market_text(n, edges))}}), "\"components\": 1");
  edges.erase(edges.begin() + 1'000);
  EXPECT_EQ(answer_of(w, {{"input", folder.write("a.mtx", test::matrix_market_text(n, edges))}}), "\"components\": 2");
}

// The check for large graphs.
TEST_ON_PES(components, are_the_same_if_vertices_tell_their_neighbours) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    const problem p = make_problem(w, parse({{"input", folder.write("a.mtx", matrix_market_text(g))}}));
    const std::vector<entry> edges = gather_on_first_pe(w, p.edges);
    const std::vector<std::uint32_t> told = lowest_by_telling(w, p);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(g.n_vertices));
    if (w.my_pe() == 0) expected = reference(g.n_vertices, edges);
    w.broadcast(std::span(expected));
    for (std::size_t v = 0; v < told.size(); ++v) {
      EXPECT_EQ(told[v], expected[static_cast<std::size_t>(p.edges.global_row(static_cast<std::int64_t>(v)))])
          << g.name;
    }
  }
}

TEST_ON_PES(components, wrong_ones_are_found) {
  world& w = world::current();
  const auto kernel = describe_components().make(w, {{"graph", "er:n=50,p=1"}});
  std::string why;
  EXPECT_FALSE(kernel->verify(w, why)) << "nothing has run";
  EXPECT_NE(why.find("differ from the serial reference"), std::string::npos) << why;
  kernel->run(w, "actor");
  EXPECT_TRUE(kernel->verify(w, why)) << why;
  std::ostringstream shown;
  kernel->show(w, shown);
  if (w.my_pe() == 0) {
    EXPECT_EQ(shown.str(), "1 connected components in a graph of 50 vertices and 1225 edges\n");
  }
}

TEST_ON_PES(components, refuse_unknown_options) {
  try {
    describe_components().make(world::current(), {{"depth", "1"}});
    FAIL() << "nothing was refused";
  } catch (const setup_error& e) {
    EXPECT_STREQ(e.what(), "components has no option --depth");
  }
}

}  // namespace
}  // namespace shoal::kernels::components
