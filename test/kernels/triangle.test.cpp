// Triangle counting: every variant of both algorithms computes known numbers on small graphs, and the reference's on
// random ones.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "kernels/triangle/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::triangle {
namespace {

using test::graph_case;
using test::temp_folder;

// Runs every variant of both algorithms, compares with `expected`, and expects them to be verified.
void expect_triangles(world& w, const std::string& path, const std::string& distribution, std::uint64_t expected,
                      test::variants_run which = test::variants_run::all) {
  const kernel_description triangle = describe_triangle();
  for (const std::string algorithm : {"0", "1"}) {
    const auto kernel = triangle.make(w, {{"input", path}, {"algorithm", algorithm}, {"distribution", distribution}});
    for (const std::string& variant : triangle.variants) {
      if (!triangle.can_run(variant, w.is_one_sided() && which == test::variants_run::all)) continue;
      std::string why;
      EXPECT_TRUE(test::is_right(w, *kernel, variant, why)) << variant << ", algorithm " << algorithm << ": " << why;
      EXPECT_EQ(kernel->answer_json(w), "\"triangles\": " + std::to_string(expected))
          << variant << ", algorithm " << algorithm;
    }
  }
}

TEST_ON_PES(triangle, counts_what_is_known_of_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    expect_triangles(w, path, "cyclic", g.n_triangles);
    expect_triangles(w, path, "block", g.n_triangles);
  }
}

// n over 3.
TEST_ON_PES(triangle, counts_those_of_a_complete_graph) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(100, test::complete_edges(100)));
  expect_triangles(w, path, "cyclic", 100 * 99 * 98 / 6);
}

// The number is NetworkX's, as for the generated graphs in graph_cases.hpp. Some 790,000 messages with either
// algorithm.
TEST_ON_PES(triangle, counts_those_of_a_graph_larger_than_buffers) {
  world& w = world::current();
  temp_folder folder(w);
  const auto edges = test::generated_edges(3'000, 60'000, 3);
  expect_triangles(w, folder.write("a.mtx", test::matrix_market_text(3'000, edges)), "block", 10'387,
                   test::variants_run::with_messages);
}

// A graph whose file holds only one half, with values.
TEST_ON_PES(triangle, reads_symmetric_files) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write(
      "a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n2 1 0.5\n3 1 0\n3 2 7\n4 4 1\n4 1 2\n");
  expect_triangles(w, path, "cyclic", 1);
}

// The check for large graphs.
TEST_ON_PES(triangle, the_other_algorithm_counts_the_same) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    parameters given;
    given.graph.input = folder.write("a.mtx", matrix_market_text(g));
    for (given.algorithm = 0; given.algorithm < 2; ++given.algorithm) {
      const problem p = make_problem(w, given);
      for (const bool is_one_sided : {w.is_one_sided(), false}) {
        EXPECT_EQ(count_otherwise(w, p, is_one_sided), g.n_triangles);
      }
      EXPECT_EQ(count_serially(w, p), g.n_triangles);
    }
  }
}

TEST_ON_PES(triangle, is_not_verified_when_the_number_is_wrong) {
  world& w = world::current();
  temp_folder folder(w);
  const auto kernel = describe_triangle().make(
      w, {{"input", folder.write("a.mtx", test::matrix_market_text(3, test::complete_edges(3)))}});
  std::string why;
  EXPECT_FALSE(kernel->verify(w, why));  // nothing has run
  kernel->run(w, "actor");
  EXPECT_TRUE(kernel->verify(w, why)) << why;
  std::ostringstream shown;
  kernel->show(w, shown);
  if (w.my_pe() == 0) {
    EXPECT_EQ(shown.str(), "1 triangles in an undirected graph of 3 vertices and 3 edges\n");
  }
  kernel->run(w, "actor");  // without `prepare` the numbers add up
  EXPECT_FALSE(kernel->verify(w, why));
}

std::string refusal_of(world& w, const option_list& options) {
  try {
    describe_triangle().make(w, options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(triangle, refuses_bad_input_in_one_line) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string wide = folder.write("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 0\n");
  EXPECT_EQ(refusal_of(w, {}),
            "a graph is missing: --input=FILE names a file, such as data/debian-depends.mtx.gz; "
            "--graph=rmat:scale=16 makes one");
  EXPECT_EQ(refusal_of(w, {{"input", "a.mtx"}, {"graph", "rmat:scale=3"}}),
            "--input and --graph both name a graph; give one of them");
  EXPECT_EQ(refusal_of(w, {{"input", wide}}),
            wide +
                " is a matrix of 3 x 4, which is no graph: it must be square, with a row and a column "
                "for each vertex");
  EXPECT_NE(refusal_of(w, {{"algorithm", "2"}}).find("--algorithm"), std::string::npos);
  EXPECT_EQ(refusal_of(w, {{"speed", "1"}}), "triangle has no option --speed");
}

}  // namespace
}  // namespace shoal::kernels::triangle
