// Breadth-first search: every variant finds known levels on small graphs and the reference's on random ones, and the check
// of the answer finds every kind of fault.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "kernels/bfs/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::bfs {
namespace {

using test::graph_case;
using test::temp_folder;

std::string answer_of(world& w, const option_list& options) { return test::answer_of(w, describe_bfs(), options); }

TEST_ON_PES(bfs, finds_what_is_known_of_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  const auto found = [&](std::int64_t n, const std::vector<entry>& edges, const std::string& root,
                         const std::string& undirected) {
    const std::string path = folder.write("a.mtx", test::matrix_market_text(n, edges));
    return answer_of(w, {{"input", path}, {"root", root}, {"undirected", undirected}});
  };
  const std::vector<entry> way = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  EXPECT_EQ(found(6, way, "1", "no"), "\"reached\": 5, \"eccentricity\": 4, \"edges\": 4");
  EXPECT_EQ(found(6, way, "3", "no"), "\"reached\": 3, \"eccentricity\": 2, \"edges\": 2");
  EXPECT_EQ(found(6, way, "3", "yes"), "\"reached\": 5, \"eccentricity\": 2, \"edges\": 8");
  EXPECT_EQ(found(6, way, "6", "yes"), "\"reached\": 1, \"eccentricity\": 0, \"edges\": 0");
  EXPECT_EQ(found(5, test::complete_edges(5), "5", "no"), "\"reached\": 5, \"eccentricity\": 1, \"edges\": 20");
  EXPECT_EQ(found(6, {{1, 2}, {4, 0}, {4, 1}, {3, 0}, {3, 1}}, "most", "no"),
            "\"reached\": 4, \"eccentricity\": 2, \"edges\": 3")
      << "from 3, not from 4, which has as many";
  EXPECT_EQ(found(4, {{0, 0}, {0, 1}, {1, 0}, {0, 1}}, "1", "no"), "\"reached\": 2, \"eccentricity\": 1, \"edges\": 3");
}

TEST_ON_PES(bfs, equals_the_reference_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      for (const std::int64_t root : {std::int64_t{1}, g.n_vertices}) {
        answer_of(w, {{"input", path}, {"distribution", distribution}, {"root", std::to_string(root)}});
      }
    }
  }
}

TEST_ON_PES(bfs, searches_graphs_larger_than_buffers) {
  world& w = world::current();
  for (const std::string graph : {"rmat:scale=12,factor=8", "er:n=5000,degree=6,directed=yes"}) {
    const auto kernel = describe_bfs().make(w, {{"graph", graph}, {"undirected", "yes"}});
    for (const std::string variant : {"conveyor", "actor", "lambda"}) {
      std::string why;
      EXPECT_TRUE(test::is_right(w, *kernel, variant, why)) << variant << ": " << why;
    }
  }
}

// 40 by 25 points, the corners 24 + 39 steps apart.
TEST_ON_PES(bfs, crosses_a_grid) {
  world& w = world::current();
  temp_folder folder(w);
  std::vector<entry> edges;
  for (std::int64_t i = 0; i < 40 * 25; ++i) {
    if (i % 40 != 39) edges.push_back({i, i + 1});
    if (i + 40 < 40 * 25) edges.push_back({i, i + 40});
  }
  const std::string path = folder.write("a.mtx", test::matrix_market_text(40 * 25, edges));
  EXPECT_EQ(answer_of(w, {{"input", path}, {"undirected", "yes"}, {"root", "1"}}),
            "\"reached\": 1000, \"eccentricity\": 63, \"edges\": 3870");
}

TEST_ON_PES(bfs, begins_at_a_name) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(3, {{1, 2}, {2, 0}}));
  const std::string names = folder.write("names", "ant\nbee\ncat\n");
  EXPECT_EQ(answer_of(w, {{"input", path}, {"names", names}, {"root", "bee"}}),
            "\"reached\": 3, \"eccentricity\": 2, \"edges\": 2");
  const auto kernel = describe_bfs().make(w, {{"input", path}, {"names", names}, {"root", "cat"}});
  kernel->run(w, "actor");
  std::ostringstream shown;
  kernel->show(w, shown);
  if (w.my_pe() == 0) {
    EXPECT_EQ(shown.str(), "2 of 3 vertices can be reached from cat, the farthest over 1 edges\n");
  }
}

// On a way of five vertices and one that stands alone, spoils the answer of one PE.
TEST_ON_PES(bfs, finds_every_fault) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 0}}));
  problem right = make_problem(w, parse({{"input", path}, {"root", "1"}}));
  run_actor(w, right);
  EXPECT_EQ(n_faults(w, right), 0);
  const auto spoilt = [&](std::int64_t vertex, std::int64_t parent, std::int64_t level) {
    problem p = right;
    const auto [pe, local] = p.edges.rows.place_of(vertex);
    if (pe == w.my_pe()) {
      p.parents[static_cast<std::size_t>(local)] = parent;
      p.levels[static_cast<std::size_t>(local)] = level;
    }
    return n_faults(w, p);
  };
  EXPECT_GT(spoilt(0, 5, 0), 0) << "the root has a parent";
  EXPECT_GT(spoilt(0, 0, 1), 0) << "the root is not on level 0";
  EXPECT_GT(spoilt(4, nothing, nothing), 0) << "a vertex is missed";
  EXPECT_GT(spoilt(4, 3, 5), 0) << "a level is too high";
  EXPECT_GT(spoilt(4, 3, 3), 0) << "a level is too low";
  EXPECT_GT(spoilt(4, 2, 3), 0) << "a parent without an edge";
  EXPECT_GT(spoilt(5, 0, 1), 0) << "reached against an edge";
  EXPECT_GT(spoilt(4, 3, nothing), 0) << "a parent without a level";
  EXPECT_GT(spoilt(4, 99, 4), 0) << "no such parent";
}

std::string refusal_of(world& w, const option_list& options) {
  try {
    describe_bfs().make(w, options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(bfs, refuses_bad_options_in_one_line) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(3, {{1, 2}}));
  const std::string names = folder.write("names", "ant\nbee\ncat\n");
  EXPECT_EQ(refusal_of(w, {{"input", path}, {"root", "bee"}}),
            "--root=bee is a name, and there are none; give --names, or a number from 1");
  EXPECT_EQ(refusal_of(w, {{"input", path}, {"names", names}, {"root", "dog"}}), "--root=dog is no name in " + names);
  EXPECT_EQ(refusal_of(w, {{"input", path}, {"root", ""}}),
            "--root is empty; give the number of a vertex, from 1, its name, or most");
  EXPECT_EQ(refusal_of(w, {{"input", path}, {"root", "4"}}).find("--root=4"), 0u);
  EXPECT_EQ(refusal_of(w, {{"input", path}, {"root", "0"}}).find("--root=0"), 0u);
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=0"}}), "a graph without vertices has no root; give another graph");
  EXPECT_EQ(refusal_of(w, {{"depth", "1"}}), "bfs has no option --depth");
}

}  // namespace
}  // namespace shoal::kernels::bfs
