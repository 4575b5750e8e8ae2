// PageRank: every variant computes known ranks on small graphs, and the reference's on random ones.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/pagerank/problem.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::pagerank {
namespace {

using test::graph_case;
using test::temp_folder;

constexpr void (*variants[])(world&, problem&) = {run_agp, run_agp_nb, run_conveyor, run_actor, run_lambda, run_array};
constexpr std::size_t n_one_sided = 2;  // that come first

// Ranks of all vertices by every variant and along both directions, on PE 0.
std::vector<std::vector<double>> ranks_by_all(world& w, parameters given) {
  std::vector<std::vector<double>> ranks;
  for (const direction along : {direction::push, direction::pull}) {
    given.along = along;
    problem p = make_problem(w, given);
    for (std::size_t i = w.is_one_sided() ? 0 : n_one_sided; i < std::size(variants); ++i) {
      variants[i](w, p);
      EXPECT_TRUE(p.reached.has_converged);
      ranks.push_back(gather_ranks(w, p));
    }
  }
  return ranks;
}

parameters on(const std::string& path) {
  parameters given;
  given.graph.input = path;
  given.tolerance = 1e-15;
  return given;
}

void expect_ranks(const std::vector<std::vector<double>>& by_all, std::int64_t vertex, double rank, double error) {
  if (world::current().my_pe() != 0) return;
  for (std::size_t i = 0; i < by_all.size(); ++i) {
    EXPECT_NEAR(by_all[i][static_cast<std::size_t>(vertex)], rank, error)
        << "vertex " << vertex << ", " << i << " of " << by_all.size() << " runs: first push, then pull";
  }
}

TEST_ON_PES(pagerank, is_equal_where_all_vertices_are_alike) {
  world& w = world::current();
  temp_folder folder(w);
  const std::vector<graph_case> alike = {{"cycle", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, 0},
                                         {"complete", 5, test::complete_edges(5), 0},
                                         {"no edge", 5, {}, 0}};
  for (const graph_case& g : alike) {
    SCOPED_TRACE(g.name);
    const auto ranks = ranks_by_all(w, on(folder.write("a.mtx", matrix_market_text(g))));
    for (std::int64_t v = 0; v < 5; ++v) expect_ranks(ranks, v, 0.2, 1e-12);
  }
}

// A leaf has b = (1 - d + d c) / n, the dangling centre c = b + 5 d b; they make 1.
TEST_ON_PES(pagerank, spreads_the_rank_of_a_dangling_centre) {
  world& w = world::current();
  temp_folder folder(w);
  const std::vector<entry> star = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}};
  const auto ranks = ranks_by_all(w, on(folder.write("a.mtx", test::matrix_market_text(6, star))));
  const double leaf = 1 / (6 + 5 * 0.85);
  for (std::int64_t v = 1; v < 6; ++v) expect_ranks(ranks, v, leaf, 1e-12);
  expect_ranks(ranks, 0, leaf * (1 + 5 * 0.85), 1e-12);
}

// In the other direction no vertex dangles: the centre gives each leaf a fifth, and gets all that they have.
TEST_ON_PES(pagerank, follows_edges_both_ways_if_undirected) {
  world& w = world::current();
  temp_folder folder(w);
  const std::vector<entry> star = {{1, 0}, {2, 0}, {2, 0}, {3, 0}, {0, 3}, {4, 0}, {5, 0}, {5, 5}};
  parameters given = on(folder.write("a.mtx", test::matrix_market_text(6, star)));
  given.is_undirected = true;
  const auto ranks = ranks_by_all(w, given);
  const double centre = (0.15 / 6 + 0.85 * 0.15 * 5 / 6) / (1 - 0.85 * 0.85);
  expect_ranks(ranks, 0, centre, 1e-12);
  for (std::int64_t v = 1; v < 6; ++v) expect_ranks(ranks, v, (1 - centre) / 5, 1e-12);
}

TEST_ON_PES(pagerank, damps_as_much_as_it_is_told) {
  world& w = world::current();
  temp_folder folder(w);
  parameters given = on(folder.write("a.mtx", test::matrix_market_text(2, {{0, 1}, {1, 1}})));
  for (const double damping : {0.0, 0.5, 0.99}) {
    given.damping = damping;
    given.n_iterations_max = 10'000;
    expect_ranks(ranks_by_all(w, given), 0, (1 - damping) / 2, 1e-12);
  }
}

// Numbers of NetworkX 3.6.1: nx.pagerank(G, alpha=0.85, tol=1e-15, max_iter=10000), rounded to 12 digits, for G =
// nx.DiGraph() of the edges and for nx.Graph() of those that are not self loops.
TEST_ON_PES(pagerank, agrees_with_networkx_on_random_graphs) {
  struct known {
    std::int64_t n_vertices;
    int n_edges;
    std::int64_t seed;
    bool is_undirected;
    std::vector<ranked> ranks;
  };
  const std::vector<known> cases = {
      {20, 60, 1, false, {{0.094866349558, 5}, {0.085875073093, 0}, {0.079268769137, 19}, {0.012197441971, 13}}},
      {20, 60, 1, true, {{0.093964504337, 5}, {0.093767373526, 0}, {0.077198537067, 9}, {0.007832898172, 13}}},
      {50, 300, 2, false, {{0.037061833894, 21}, {0.035951090006, 19}, {0.034737420264, 38}, {0.006158879395, 9}}},
      {50, 300, 2, true, {{0.033235110985, 41}, {0.031167978405, 25}, {0.029719180236, 31}, {0.011394164623, 26}}}};
  world& w = world::current();
  temp_folder folder(w);
  for (const known& k : cases) {
    const auto edges = test::generated_edges(k.n_vertices, k.n_edges, k.seed);
    parameters given = on(folder.write("a.mtx", test::matrix_market_text(k.n_vertices, edges)));
    given.is_undirected = k.is_undirected;
    const auto ranks = ranks_by_all(w, given);
    for (const auto& [rank, vertex] : k.ranks) expect_ranks(ranks, vertex, rank, 1e-11);
  }
}

// --- As the command runs it

TEST_ON_PES(pagerank, equals_the_reference_on_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  bool is_odd = false;  // every other graph takes the other half of the combinations
  for (const graph_case& g : test::small_graphs()) {
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    is_odd = !is_odd;
    for (const bool is_push : {true, false}) {
      for (const bool is_undirected : {true, false}) {
        const std::string direction = is_push ? "push" : "pull";
        const std::string undirected = is_undirected ? "yes" : "no";
        const std::string distribution = (is_push != is_undirected) == is_odd ? "cyclic" : "block";
        SCOPED_TRACE(g.name + ", " + direction + ", undirected: " + undirected + ", " + distribution);
        test::expect_all_right(w, describe_pagerank(),
                               {{"input", path},
                                {"direction", direction},
                                {"undirected", undirected},
                                {"distribution", distribution},
                                {"iterations", "10"}});
      }
    }
  }
}

// 200,000 messages of 8 or 12 bytes an iteration fill many buffers.
TEST_ON_PES(pagerank, equals_the_reference_on_a_graph_larger_than_buffers) {
  world& w = world::current();
  temp_folder folder(w);
  const auto edges = test::generated_edges(10'000, 200'000, 3);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(10'000, edges));
  for (const char* direction : {"push", "pull"}) {
    SCOPED_TRACE(direction);
    test::expect_all_right(w, describe_pagerank(), {{"input", path}, {"direction", direction}, {"iterations", "5"}},
                           test::variants_run::with_messages);
  }
}

TEST_ON_PES(pagerank, says_when_the_limit_came_before_the_tolerance) {
  world& w = world::current();
  temp_folder folder(w);
  const auto kernel = describe_pagerank().make(
      w, {{"input", folder.write("a.mtx", test::matrix_market_text(2, {{0, 1}}))}, {"iterations", "3"}});
  kernel->run(w, "actor");
  std::string why;
  EXPECT_TRUE(kernel->verify(w, why)) << why;
  std::ostringstream shown;
  kernel->show(w, shown);
  const std::string json = kernel->answer_json(w);
  if (w.my_pe() != 0) return;
  EXPECT_NE(why.find("not converged: the limit of 3 iterations came first"), std::string::npos) << why;
  EXPECT_NE(shown.str().find("NOT converged"), std::string::npos) << shown.str();
  EXPECT_NE(json.find("\"converged\": false"), std::string::npos) << json;
}

TEST_ON_PES(pagerank, is_not_verified_when_ranks_are_wrong) {
  world& w = world::current();
  temp_folder folder(w);
  const auto kernel =
      describe_pagerank().make(w, {{"input", folder.write("a.mtx", test::matrix_market_text(3, {{0, 1}, {1, 2}}))}});
  kernel->prepare(w, "actor");
  std::string why;
  EXPECT_FALSE(kernel->verify(w, why));  // nothing has run
  kernel->run(w, "actor");
  EXPECT_TRUE(kernel->verify(w, why)) << why;
}

// The check for large graphs.
TEST_ON_PES(pagerank, a_step_from_the_answer_leads_nowhere_and_from_elsewhere_does) {
  world& w = world::current();
  temp_folder folder(w);
  const auto edges = test::generated_edges(50, 300, 2);
  parameters given = on(folder.write("a.mtx", test::matrix_market_text(50, edges)));
  for (const direction along : {direction::push, direction::pull}) {
    given.along = along;
    problem p = make_problem(w, given);
    run_actor(w, p);
    for (const bool is_one_sided : {w.is_one_sided(), false}) {
      EXPECT_LE(residual(w, p, is_one_sided), given.damping * p.reached.change + 1e-15);
    }
    if (!p.ranks.empty()) p.ranks[0] += 1e-6;
    for (const bool is_one_sided : {w.is_one_sided(), false}) EXPECT_GE(residual(w, p, is_one_sided), 1e-7);
  }
}

TEST_ON_PES(pagerank, shows_the_top_by_name_or_number) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string graph = folder.write("a.mtx", test::matrix_market_text(3, {{0, 1}, {2, 1}}));
  const std::string names = folder.write("names", "a \"b\"\nhub\nc\n");
  for (const bool is_named : {true, false}) {
    const auto kernel = describe_pagerank().make(w, {{"input", graph}, {"names", is_named ? names : "none"}});
    kernel->run(w, "lambda");
    std::ostringstream shown;
    kernel->show(w, shown);
    const std::string json = kernel->answer_json(w);
    if (w.my_pe() != 0) continue;
    EXPECT_NE(shown.str().find(is_named ? "  0.574468085  hub\n" : "  0.574468085  2\n"), std::string::npos)
        << shown.str();
    EXPECT_NE(json.find(is_named ? "\"vertex\": 2, \"name\": \"hub\", \"rank\": 0.574468085"
                                 : "\"vertex\": 2, \"name\": \"2\", \"rank\": 0.574468085"),
              std::string::npos)
        << json;
    if (is_named) {
      EXPECT_NE(json.find(R"("name": "a \"b\"")"), std::string::npos) << json;
    }
  }
}

// --- Refused options and inputs

std::string refusal_of(world& w, const option_list& options) {
  try {
    describe_pagerank().make(w, options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(pagerank, refuses_bad_input_in_one_line) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string wide = folder.write("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 0\n");
  const std::string none = folder.write("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  const std::string good = folder.write("good.mtx", test::matrix_market_text(2, {{0, 1}}));
  EXPECT_EQ(refusal_of(w, {}),
            "a graph is missing: --input=FILE names a file, such as data/debian-depends.mtx.gz; "
            "--graph=rmat:scale=16 makes one");
  EXPECT_EQ(refusal_of(w, {{"input", "a.mtx"}, {"graph", "rmat:scale=3"}}),
            "--input and --graph both name a graph; give one of them");
  EXPECT_EQ(refusal_of(w, {{"input", wide}}),
            wide +
                " is a matrix of 3 x 4, which is no graph: it must be square, with a row and a column "
                "for each vertex");
  EXPECT_EQ(refusal_of(w, {{"input", none}}), none + " has no vertices to rank");
  EXPECT_EQ(refusal_of(w, {{"direction", "up"}}), "--direction=up is neither push nor pull");
  EXPECT_EQ(refusal_of(w, {{"distribution", "odd"}}), "--distribution=odd is neither cyclic nor block");
  EXPECT_EQ(refusal_of(w, {{"undirected", "maybe"}}), "--undirected=maybe is neither yes nor no");
  EXPECT_EQ(refusal_of(w, {{"speed", "1"}}), "pagerank has no option --speed");
  for (const char* bad : {"1", "-0.1", "x", "", "nan"}) {
    EXPECT_EQ(
        refusal_of(w, {{"damping", bad}}),
        std::string("--damping=") + bad + " is not a number that is at least 0 and less than 1; try the default, 0.85");
  }
  EXPECT_NE(refusal_of(w, {{"iterations", "0"}}).find("--iterations"), std::string::npos);
  EXPECT_NE(refusal_of(w, {{"input", good}, {"names", good}}).find(good), std::string::npos);
}

}  // namespace
}  // namespace shoal::kernels::pagerank
