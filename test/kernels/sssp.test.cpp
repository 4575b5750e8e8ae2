// Shortest paths: every variant finds the reference's distances, to the last bit, and the check finds every kind of fault.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "kernels/sssp/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::sssp {
namespace {

using test::graph_case;
using test::temp_folder;

TEST_ON_PES(sssp, equals_the_reference_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      test::expect_all_right(w, describe_sssp(), {{"input", path}, {"distribution", distribution}});
    }
  }
}

// Buckets of any width, from one vertex each to all in one.
TEST_ON_PES(sssp, walks_graphs_larger_than_buffers) {
  for (const std::string graph : {"rmat:scale=11,factor=8", "er:n=3000,degree=6", "geometric:n=3000,degree=8"}) {
    for (const std::string delta : {"auto", "1e-6", "0.1", "1000"}) {
      SCOPED_TRACE(graph + ", delta " + delta);
      test::expect_all_right(world::current(), describe_sssp(),
                             {{"graph", graph}, {"undirected", "yes"}, {"delta", delta}});
    }
  }
}

// A way from the first to the last of five: the sum of its lengths, which are known from the matrix.
TEST_ON_PES(sssp, adds_up_lengths) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  problem p = make_problem(w, parse({{"input", path}, {"root", "1"}}));
  run_actor(w, p);
  double length = 0;
  for (const auto& e : test::gather_entries(w, p.edges)) length += e.value;
  double farthest = 0;
  bool is_any_far = false;
  for (const double d : p.distances) {
    if (d == far) {
      is_any_far = true;
    } else {
      farthest = std::max(farthest, d);
    }
  }
  EXPECT_DOUBLE_EQ(w.max(farthest), length);
  EXPECT_EQ(w.max(static_cast<int>(is_any_far)), 1) << "the sixth vertex cannot be reached";
}

// On a way of five vertices and one that stands alone, spoils the answer of one PE.
TEST_ON_PES(sssp, finds_every_fault) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 0}}));
  problem right = make_problem(w, parse({{"input", path}, {"root", "1"}}));
  run_actor(w, right);
  EXPECT_EQ(n_faults(w, right), 0);
  const auto spoilt = [&](std::int64_t vertex, double change) {
    problem p = right;
    const auto [pe, local] = p.edges.rows.place_of(vertex);
    if (pe == w.my_pe()) {
      double& d = p.distances[static_cast<std::size_t>(local)];
      d = std::isinf(d) ? 1.0 : d + change;
    }
    return n_faults(w, p);
  };
  EXPECT_GT(spoilt(0, 0.5), 0) << "the root is away from itself";
  EXPECT_GT(spoilt(4, 0.01), 0) << "a distance is too long";
  EXPECT_GT(spoilt(4, -0.01), 0) << "a distance is too short";
  EXPECT_GT(spoilt(4, far), 0) << "a vertex is missed";
  EXPECT_GT(spoilt(5, 0), 0) << "reached against an edge";
}

std::string refusal_of(world& w, const option_list& options) {
  try {
    describe_sssp().make(w, options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(sssp, refuses_bad_options_in_one_line) {
  world& w = world::current();
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"root", ""}}),
            "--root is empty; give the number of a vertex, from 1, its name, or most");
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"root", "6"}}).find("--root=6"), 0u);
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=0"}}), "a graph without vertices has no root; give another graph");
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"delta", "0"}}).find("--delta=0"), 0u);
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"seed", "x"}}).find("--seed=x"), 0u);
  EXPECT_EQ(refusal_of(w, {{"depth", "1"}}), "sssp has no option --depth");
}

}  // namespace
}  // namespace shoal::kernels::sssp
