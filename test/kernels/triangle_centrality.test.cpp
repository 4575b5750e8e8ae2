// Triangle centrality: every variant finds known ones on small graphs, and the reference's on random ones; the reference
// finds what the definition says.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/triangle_centrality/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

using test::graph_case;
using test::temp_folder;

std::string answer_of(world& w, const option_list& options) {
  return test::answer_of(w, describe_triangle_centrality(), options);
}

// The part of an answer before its top, on PE 0.
std::string head_of(const std::string& answer) { return answer.substr(0, answer.find(", \"top\"")); }

TEST_ON_PES(triangle_centrality, finds_what_is_known_of_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  const auto expect = [&](std::int64_t n, const std::vector<entry>& edges, const std::string& expected) {
    const std::string found = answer_of(w, {{"input", folder.write("a.mtx", test::matrix_market_text(n, edges))}});
    if (w.my_pe() == 0) {
      EXPECT_EQ(head_of(found), expected);
    }
  };
  expect(0, {}, "\"triangles\": 0, \"sum\": 0");
  expect(3, {{0, 1}}, "\"triangles\": 0, \"sum\": 0");
  // A complete graph: each vertex is a part of all, or sees it.
  expect(5, test::complete_edges(5), "\"triangles\": 10, \"sum\": 5");
  // A triangle with a tail: the tail's first vertex sees all triangles, its second one none.
  expect(5, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}}, "\"triangles\": 1, \"sum\": 4");
  // Two triangles with a common edge: 1 at its ends, (1 + 2 + 2) / 3 / 2 at the others.
  expect(4, {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 2}}, "\"triangles\": 2, \"sum\": 3.6666666666667");
  // Two triangles with a common vertex, which has (2 + 1 + 1 + 1 + 1) / 3 / 2; the others have (1 + 1 + 2) / 3 / 2.
  expect(5, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}}, "\"triangles\": 2, \"sum\": 3.6666666666667");
}

TEST_ON_PES(triangle_centrality, equals_the_reference_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      const std::string answer = answer_of(w, {{"input", path}, {"distribution", distribution}});
      if (w.my_pe() == 0) {
        EXPECT_EQ(answer.find("\"triangles\": " + std::to_string(g.n_triangles) + ", "), 0u) << answer;
      }
    }
  }
}

// The formula of Burkhardt's paper on dense matrices: with T the number of common neighbours at each edge, and S where it is
// not 0, the numerators are (3 A - 2 S + I) T 1 / 2.
std::vector<at_vertex> by_dense_matrices(std::size_t n, const std::vector<entry>& edges) {
  using matrix = std::vector<std::vector<std::uint64_t>>;
  matrix a(n, std::vector<std::uint64_t>(n, 0));
  for (const auto [i, j] : edges) {
    if (i == j) continue;
    a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = 1;
    a[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = 1;
  }
  matrix t(n, std::vector<std::uint64_t>(n, 0));
  std::vector<at_vertex> found(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) t[i][j] += a[i][j] * a[i][k] * a[k][j];
      found[i].n_triangles += t[i][j];
    }
    found[i].n_triangles /= 2;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint64_t weight =
          3 * a[i][j] - 2 * static_cast<std::uint64_t>(t[i][j] > 0) + static_cast<std::uint64_t>(i == j);
      found[i].numerator += weight * found[j].n_triangles;
    }
  }
  return found;
}

TEST_ON_PES(triangle_centrality, is_what_dense_matrices_say) {
  world& w = world::current();
  std::vector<graph_case> graphs = test::small_graphs();
  graphs.push_back({"dense", 25, test::generated_edges(25, 250, 3), 0});
  for (const graph_case& g : graphs) {
    SCOPED_TRACE(g.name);
    temp_folder folder(w);
    problem p = make_problem(w, parse({{"input", folder.write("a.mtx", matrix_market_text(g))}}));
    const std::vector<entry> edges = gather_on_first_pe(w, p.lower);
    if (w.my_pe() != 0) continue;
    const auto expected = by_dense_matrices(static_cast<std::size_t>(g.n_vertices), g.edges);
    const auto found = reference(g.n_vertices, edges);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < found.size(); ++v) {
      EXPECT_EQ(found[v].n_triangles, expected[v].n_triangles) << v;
      EXPECT_EQ(found[v].numerator, expected[v].numerator) << v;
    }
  }
}

TEST_ON_PES(triangle_centrality, is_found_in_graphs_larger_than_buffers) {
  world& w = world::current();
  for (const std::string graph :
       {"er:n=1500,degree=40", "rmat:scale=10,factor=8", "geometric:n=3000,degree=20", "stars:leaves=4x5x6,loop=hub"}) {
    SCOPED_TRACE(graph);
    test::expect_all_right(w, describe_triangle_centrality(), {{"graph", graph}}, test::variants_run::with_messages);
  }
}

// Of a complete graph all numerators are known, so a change of any number of any PE must be found.
TEST_ON_PES(triangle_centrality, wrong_ones_are_found) {
  world& w = world::current();
  const auto kernel = describe_triangle_centrality().make(w, {{"graph", "er:n=30,p=1"}});
  std::string why;
  kernel->prepare(w, "actor");
  EXPECT_FALSE(kernel->verify(w, why)) << "nothing has run";
  EXPECT_NE(why.find("differ from the serial reference"), std::string::npos) << why;
  kernel->run(w, "actor");
  EXPECT_TRUE(kernel->verify(w, why)) << why;
  kernel->run(w, "actor");  // without `prepare` the counts add up
  EXPECT_FALSE(kernel->verify(w, why));
}

TEST_ON_PES(triangle_centrality, shows_the_top_by_name_or_number) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string graph =
      folder.write("a.mtx", test::matrix_market_text(4, {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 2}}));
  const std::string names = folder.write("names", "a\nb\nc\nd\n");
  for (const bool is_named : {true, false}) {
    const auto kernel =
        describe_triangle_centrality().make(w, {{"input", graph}, {"names", is_named ? names : "none"}});
    kernel->run(w, "lambda");
    std::ostringstream shown;
    kernel->show(w, shown);
    const std::string json = kernel->answer_json(w);
    if (w.my_pe() != 0) continue;
    EXPECT_EQ(shown.str(),
              is_named ? "triangle centrality of 4 vertices and 5 edges with 2 triangles; their sum is 3.666666667\n"
                         "  1.000000000  b\n  1.000000000  c\n  0.833333333  a\n  0.833333333  d\n"
                       : "triangle centrality of 4 vertices and 5 edges with 2 triangles; their sum is 3.666666667\n"
                         "  1.000000000  2\n  1.000000000  3\n  0.833333333  1\n  0.833333333  4\n");
    EXPECT_NE(json.find(is_named ? R"([{"vertex": 2, "name": "b", "centrality": 1}, {"vertex": 3)"
                                 : R"([{"vertex": 2, "name": "2", "centrality": 1}, {"vertex": 3)"),
              std::string::npos)
        << json;
  }
}

TEST_ON_PES(triangle_centrality, refuses_unknown_options) {
  try {
    describe_triangle_centrality().make(world::current(), {{"depth", "1"}});
    FAIL() << "nothing was refused";
  } catch (const setup_error& e) {
    EXPECT_STREQ(e.what(), "triangle_centrality has no option --depth");
  }
}

}  // namespace
}  // namespace shoal::kernels::triangle_centrality
