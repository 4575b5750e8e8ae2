// Graphs that options name: what they mean, which triangles they have, and how a wrong one is refused.
// pes: 1 2 3 4 7
#include "kernels/generated_graph.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/graph_input.hpp"
#include "kernels/pagerank/problem.hpp"
#include "kernels/triangle/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    parse_generated_graph(text, world::current().n_pes());
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(generated_graphs, are_what_their_options_say) {
  world& w = world::current();
  const auto make = [&](const std::string& text) { return generate(w, parse_generated_graph(text, w.n_pes())); };
  EXPECT_TRUE(are_equal(w, make("er:n=300,p=0.1,seed=4"), erdos_renyi_graph(w, 300, 0.1, {.seed = 4})));
  EXPECT_TRUE(are_equal(w, make("er:per_pe=50,degree=7,directed=yes,loops=yes"),
                        erdos_renyi_graph(w, 50 * w.n_pes(), 7.0 / static_cast<double>(50 * w.n_pes() - 1),
                                          {.is_directed = true, .has_loops = true})));
  EXPECT_TRUE(are_equal(w, make("geometric:n=200,radius=0.1"), random_geometric_graph(w, 200, 0.1).edges));
  EXPECT_TRUE(are_equal(w, make("geometric:n=200,degree=6"), random_geometric_graph(w, 200, radius_for(200, 6)).edges));
  EXPECT_TRUE(
      are_equal(w,
                make("rmat:scale=8,factor=5,a=0.4,b=0.3,c=0.2,seed=9,directed"
                     "=no"),
                rmat_graph(w, {.scale = 8, .n_edges_per_vertex = 5, .a = 0.4, .b = 0.3, .c = 0.2}, {.seed = 9})));
  const std::int64_t n_leaves[] = {3, 4};
  EXPECT_TRUE(are_equal(w, make("stars:leaves=3x4,loop=hub"), kronecker_of_stars(w, n_leaves, star_loop::hub)));
  EXPECT_TRUE(are_equal(w, make("stars:leaves=3x4,loop=leaf"), kronecker_of_stars(w, n_leaves, star_loop::last_leaf)));
}

// Memory is asked for by the expected number of edges.
TEST_ON_PES(generated_graphs, have_about_as_many_edges_as_expected) {
  world& w = world::current();
  for (const std::string text : {"er:n=2000,degree=9", "er:n=2000,degree=9,directed=yes,loops=yes", "er:n=100,p=1",
                                 "geometric:n=3000,degree=12", "geometric:n=3000,degree=12,directed=yes,loops=yes",
                                 "rmat:scale=14,factor=2,a=0.25,b=0.25,c=0.25", "stars:leaves=5x6x7"}) {
    const generated_graph g = parse_generated_graph(text, w.n_pes());
    const sparse_matrix m = generate(w, g);
    EXPECT_EQ(m.n_rows(), g.n_vertices) << text;
    const auto n = static_cast<double>(n_entries(w, m));
    EXPECT_LT(n, 1.1 * g.n_edges) << text;
    EXPECT_GT(n, 0.8 * g.n_edges) << text;
  }
}

TEST_ON_PES(generated_graphs, have_the_triangles_of_a_formula) {
  world& w = world::current();
  const std::int64_t n_leaves[] = {4, 5, 6};
  for (const auto& [loop, which] :
       {std::pair{"none", star_loop::none}, {"hub", star_loop::hub}, {"leaf", star_loop::last_leaf}}) {
    const auto kernel = describe_triangle().make(w, {{"graph", std::string("stars:leaves=4x5x6,loop=") + loop}});
    std::string why;
    EXPECT_TRUE(test::is_right(w, *kernel, "actor", why)) << why;
    EXPECT_EQ(kernel->answer_json(w), "\"triangles\": " + std::to_string(n_triangles_of_stars(n_leaves, which)));
  }
}

TEST_ON_PES(generated_graphs, are_refused_in_one_line) {
  const std::map<std::string, std::string> refusals = {
      {"tree:n=3",
       "--graph=tree:n=3 is of no known kind; there are er, geometric, rmat and stars, such as rmat:scale=18"},
      {"", "--graph= is of no known kind; there are er, geometric, rmat and stars, such as rmat:scale=18"},
      {"er", "--graph=er needs either n=, the number of vertices, or per_pe=, that of each PE"},
      {"er:n=3,per_pe=4",
       "--graph=er:n=3,per_pe=4 needs either n=, the number of vertices, or per_pe=, that of each PE"},
      {"er:n=3,n=4", "--graph=er:n=3,n=4 has n twice"},
      {"er:n=3,p", "--graph=er:n=3,p has no value for p; write p=VALUE"},
      {"er:n=3,p=0.1,degree=2", "--graph=er:n=3,p=0.1,degree=2 has p and degree; give one of them"},
      {"er:n=3,scale=4",
       "--graph=er:n=3,scale=4 has no key \"scale\"; er takes n, per_pe, p, degree, seed, directed, loops"},
      {"rmat:?", "--graph=rmat:? has no key \"?\"; rmat takes scale, factor, a, b, c, seed, directed, loops"},
      {"stars:=3", "--graph=stars:=3 has no key \"\"; stars takes leaves, loop"},
      {"geometric:n=3,radius=1,degree=2",
       "--graph=geometric:n=3,radius=1,degree=2 has radius and degree; give one of them"},
      {"rmat:a=0.5,b=0.5,c=0.5", "--graph=rmat:a=0.5,b=0.5,c=0.5 has a, b and c that add up to more than 1"},
      {"stars:loop=hub",
       "--graph=stars:loop=hub needs leaves=, the numbers of leaves of the stars, such as leaves=3x4x5"},
      {"stars:leaves=3,loop=all", "--graph=stars:leaves=3,loop=all has loop=all, which is neither none, hub nor leaf"},
      {"stars:leaves=99999x99999x99999", "--graph=stars:leaves=99999x99999x99999 has more than 2^32 - 1 vertices"},
  };
  for (const auto& [text, expected] : refusals) EXPECT_EQ(refusal_of(text), expected);
  for (const std::string text :
       {"er:n=x", "er:n=-1", "er:n=5,p=2", "er:n=5,degree=-1", "er:n=5000000000", "rmat:scale=32",
        "rmat:scale=", "stars:leaves=3x", "stars:leaves=0", "er:n=5,directed=maybe"}) {
    const std::string said = refusal_of(text);
    EXPECT_EQ(said.find("--graph "), 0u) << text << ": " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace shoal::kernels
