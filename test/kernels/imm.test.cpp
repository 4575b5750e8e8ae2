// Influence maximisation: every variant finds the reference's vertices; the sets tell the influence; the check finds every
// kind of fault.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/imm/problem.hpp"
#include "kernels/imm/shared_memberships.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/setup_error.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels::imm {
namespace {

using test::graph_case;
using test::temp_folder;

TEST_ON_PES(imm, equals_the_reference_on_all_small_graphs) {
  world& w = world::current();
  temp_folder folder(w);
  for (const graph_case& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const std::string path = folder.write("a.mtx", matrix_market_text(g));
    for (const std::string distribution : {"cyclic", "block"}) {
      test::expect_all_right(w, describe_imm(), {{"input", path}, {"distribution", distribution}, {"seeds", "1"}});
    }
  }
}

TEST_ON_PES(imm, equals_the_reference_on_graphs_larger_than_buffers) {
  constexpr const char* rmat = "rmat:scale=10,factor=8";
  constexpr const char* er = "er:n=1000,degree=6";
  constexpr std::pair<const char*, const char*> cases[] = {
      {rmat, "weighted"}, {rmat, "0.01"}, {er, "weighted"}, {er, "0.2"}};
  for (const auto& [graph, probability] : cases) {
    SCOPED_TRACE(std::string(graph) + ", probability " + probability);
    test::expect_all_right(world::current(), describe_imm(),
                           {{"graph", graph}, {"undirected", "yes"}, {"probability", probability}, {"seeds", "20"}});
  }
}

// All vertices are chosen in the end, those without a set of their own too.
TEST_ON_PES(imm, chooses_all_vertices_if_asked) {
  test::expect_all_right(world::current(), describe_imm(), {{"graph", "er:n=30,degree=2"}, {"seeds", "30"}});
}

TEST_ON_PES(imm, chooses_all_of_few_vertices_if_nothing_is_said) {
  world& w = world::current();
  problem p = make_problem(w, parse({{"graph", "er:n=30,degree=2"}}));
  run_actor(w, p);
  EXPECT_EQ(p.chosen.seeds.size(), 30u);
  EXPECT_EQ(p.influence(), 30);
  p = make_problem(w, parse({{"graph", "er:n=60,degree=2"}, {"seeds", "auto"}}));
  run_actor(w, p);
  EXPECT_EQ(p.chosen.seeds.size(), 50u);
}

TEST_ON_PES(imm, has_one_answer_whatever_the_number_of_pes) {
  world& w = world::current();
  for (const std::string distribution : {"cyclic", "block"}) {
    const std::string answer = test::answer_of(
        w, describe_imm(), {{"graph", "er:n=200,degree=6,seed=3"}, {"distribution", distribution}, {"seeds", "2"}});
    if (w.my_pe() == 0) {
      EXPECT_EQ(answer,
                "\"influence\": 34.672304439746, \"standard_error\": 3.4812369896931, \"sets\": 1890, \"top\": ["
                "{\"vertex\": 190, \"name\": \"190\", \"adds\": 19.027484143763}, "
                "{\"vertex\": 199, \"name\": \"199\", \"adds\": 15.644820295983}]");
    }
  }
}

// Mean influence of one vertex in a graph of few edges, from all ways in which edges let through.
double exact_influence(std::int64_t n, const std::vector<entry>& edges, double probability, std::int64_t from) {
  double mean = 0;
  for (std::uint32_t open = 0; open < 1u << edges.size(); ++open) {
    double weight = 1;
    for (std::size_t e = 0; e < edges.size(); ++e) weight *= (open >> e & 1) != 0 ? probability : 1 - probability;
    std::set<std::int64_t> reached = {from};
    for (std::int64_t round = 0; round < n; ++round) {
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if ((open >> e & 1) != 0 && reached.contains(edges[e].row)) reached.insert(edges[e].column);
      }
    }
    mean += weight * static_cast<double>(reached.size());
  }
  return mean;
}

// Vertex 2 (of 0 to 6) reaches most. Ways of different lengths lead to 5.
TEST_ON_PES(imm, estimates_the_influence_that_enumeration_gives) {
  world& w = world::current();
  const std::vector<entry> edges = {{2, 0}, {2, 1}, {0, 3}, {1, 3}, {3, 4}, {4, 5}, {2, 5}, {5, 6}, {6, 2}};
  temp_folder folder(w);
  const std::string path = folder.write("a.mtx", test::matrix_market_text(7, edges));
  for (const double probability : {0.3, 0.7}) {
    problem p = make_problem(
        w, parse({{"input", path}, {"seeds", "1"}, {"probability", std::to_string(probability)}, {"epsilon", "0.05"}}));
    run_actor(w, p);
    ASSERT_EQ(p.chosen.seeds.size(), 1u);
    EXPECT_EQ(p.chosen.seeds[0], 2);
    EXPECT_NEAR(p.influence(), exact_influence(7, edges, probability, 2), 0.1);
  }
}

// No edge lets through, so each chosen vertex reaches itself. It is chosen because it happens to be in many sets.
TEST_ON_PES(imm, estimates_the_influence_without_bias) {
  world& w = world::current();
  problem p = make_problem(w, parse({{"graph", "rmat:scale=10"}, {"probability", "1e-9"}, {"epsilon", "0.2"}}));
  run_actor(w, p);
  EXPECT_GT(static_cast<double>(p.n()) * static_cast<double>(p.chosen.n_covered()) / static_cast<double>(p.n_sets), 55);
  EXPECT_NEAR(p.influence(), 50, 3 * p.influence_error());
  EXPECT_LT(p.influence_error(), 1.5);
  const std::vector<std::uint32_t> gains = gains_in(w, p.incoming.rows, p.sets, p.chosen.seeds);
  EXPECT_EQ(gains, p.chosen.gains);
}

TEST_ON_PES(imm, edges_let_through_as_often_as_they_should) {
  constexpr std::size_t n_edges = 7;
  constexpr std::uint32_t n_sets = 20000;
  for (const double probability : {0.001, 0.1, 1.0 / 3, 0.9, 1.0}) {
    std::vector<double> counts(n_edges, 0);
    double n_both = 0;  // the first and the last
    for (std::uint32_t set = 0; set < n_sets; ++set) {
      open_edges edges(17, set, 5, 1 / std::log1p(-probability));
      std::set<std::size_t> open;
      for (std::size_t at = edges.next(0, n_edges); at < n_edges; at = edges.next(at + 1, n_edges)) open.insert(at);
      for (const std::size_t at : open) ++counts[at];
      n_both += static_cast<double>(open.contains(0) && open.contains(n_edges - 1));
    }
    const auto is_near = [&](double count, double p) {
      return std::abs(count - n_sets * p) <= 5 * std::sqrt(n_sets * p * (1 - p));
    };
    for (const double count : counts) EXPECT_TRUE(is_near(count, probability)) << count << ", p " << probability;
    EXPECT_TRUE(is_near(n_both, probability * probability)) << n_both << ", p " << probability;
  }
}

TEST_ON_PES(imm, no_edge_of_none_lets_through) {
  for (const double scale : {1 / std::log1p(-0.5), 1 / std::log1p(-1.0)}) {
    EXPECT_EQ(open_edges(1, 2, 3, scale).next(0, 0), 0u);
  }
}

TEST_ON_PES(imm, roots_are_all_vertices_alike) {
  std::vector<int> counts(10, 0);
  for (std::uint32_t set = 0; set < 10000; ++set) ++counts[static_cast<std::size_t>(root_of(3, set, 10))];
  for (const int n : counts) EXPECT_NEAR(n, 1000, 150);
}

// The formulas of the paper, computed by another program. Each of two parts may fail with half of n^-ell.
TEST_ON_PES(imm, numbers_of_sets_are_those_of_the_paper) {
  parameters given = {.n_seeds = 50};
  EXPECT_NEAR(n_sets_of_round(given, 63666, 1), 4141.746711808138, 1e-6 * 4141.746711808138);
  EXPECT_NEAR(n_sets_to_choose(given, 63666, 100), 1736810.969907212, 1e-6 * 1736810.969907212);
  given = {.n_seeds = 10, .epsilon = 0.1, .ell = 2};
  EXPECT_NEAR(n_sets_of_round(given, 1000, 3), 59072.2055819046, 1e-6 * 59072.2055819046);
  EXPECT_NEAR(n_sets_to_choose(given, 1000, 100), 164714.15923001515, 1e-6 * 164714.15923001515);
  given.ell = 0.5;
  EXPECT_NEAR(n_sets_of_round(given, 1000, 3), 50392.1375990824, 1e-6 * 50392.1375990824);
  EXPECT_NEAR(n_sets_to_choose(given, 1000, 100), 112069.98483357114, 1e-6 * 112069.98483357114);
  EXPECT_EQ(n_rounds(63666), 14u);
  EXPECT_EQ(n_rounds(1), 1u);
  // Round 3 supposes 125 of 1000.
  const double looser = std::sqrt(2.0) * 0.1;
  EXPECT_EQ(shown_influence(given, 1000, 3, 0.125 * (1 + looser) - 1e-9), 0);
  EXPECT_NEAR(shown_influence(given, 1000, 3, 0.2), 200 / (1 + looser), 1e-9);
}

TEST_ON_PES(imm, word_set_has_what_was_inserted) {
  word_set words;
  std::set<std::uint64_t> right;
  EXPECT_FALSE(words.has(7));
  random_engine random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t word = random.below(2000);
    EXPECT_EQ(words.insert(word), right.insert(word).second);
  }
  for (std::uint64_t word = 0; word < 2000; ++word) EXPECT_EQ(words.has(word), right.contains(word));
  EXPECT_EQ(words.size(), right.size());
  words.clear();
  EXPECT_EQ(words.size(), 0u);
  EXPECT_FALSE(words.has(7));
  EXPECT_TRUE(words.insert(7));
}

// Threads add the same memberships in orders of their own: each is new once.
TEST_ON_PES(imm, shared_memberships_are_new_once) {
  constexpr std::uint32_t n_vertices = 50;
  constexpr std::uint32_t n_sets = 200;
  constexpr std::array<std::uint32_t, 3> steps = {1, 3, 7};  // none divides the number of memberships
  shared_memberships all;
  for (int round = 0; round < 2; ++round) {
    std::array<std::vector<membership>, steps.size()> fresh;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < fresh.size(); ++t) {
      threads.emplace_back([&, t] {
        std::vector<membership> batch;
        for (std::uint32_t i = 0; i < n_vertices * n_sets; ++i) {
          const std::uint32_t at = (i * steps[t]) % (n_vertices * n_sets);
          batch.push_back({at % n_vertices, at / n_vertices});
          if (batch.size() < 100) continue;
          for (const membership m : all.insert(batch)) fresh[t].push_back(m);
          batch.clear();
        }
      });
    }
    for (std::thread& each : threads) each.join();
    std::set<std::uint64_t> seen;
    std::size_t n = 0;
    for (const auto& of_thread : fresh) {
      for (const membership m : of_thread) seen.insert(m.word());
      n += of_thread.size();
    }
    EXPECT_EQ(n, n_vertices * n_sets);
    EXPECT_EQ(seen.size(), n_vertices * n_sets);
    all.clear();
  }
}

// Vertices 0 to 3 in sets 0 to 4. Vertex 1 has three sets; then 2 and 3 have one left each, and the lower one is taken;
// then 3; then 0, which adds none.
TEST_ON_PES(imm, chooses_greedily_and_the_lowest_of_equals) {
  world& w = world::current();
  const std::vector<std::vector<std::uint32_t>> sets_of = {{0, 1}, {0, 1, 2}, {1, 3}, {2, 4}};
  for (const layout kind : {layout::cyclic, layout::block}) {
    const distribution vertices(kind, 4, w.n_pes());
    std::vector<membership> members;
    std::size_t n_local = 0;
    for (std::size_t v = 0; v < sets_of.size(); ++v) {
      const auto [owner, local] = vertices.place_of(static_cast<std::int64_t>(v));
      if (owner != w.my_pe()) continue;
      ++n_local;
      for (const std::uint32_t set : sets_of[v]) members.push_back({static_cast<std::uint32_t>(local), set});
    }
    const sets_of_vertices sets(members, n_local, 5);
    const selection found = choose(w, vertices, sets, 9);
    EXPECT_EQ(found.seeds, (std::vector<std::int64_t>{1, 2, 3, 0}));
    EXPECT_EQ(found.gains, (std::vector<std::uint32_t>{3, 1, 1, 0}));
    EXPECT_EQ(found.n_covered(), 5u);
    EXPECT_EQ(choose(w, vertices, sets, 1).seeds, (std::vector<std::int64_t>{1}));
  }
}

std::uint64_t n_faults_of(world& w, const problem& p) {
  const faults found = find_faults(w, p);
  EXPECT_LE(found.n_followed, p.n_sets);
  return found.n_gains + found.n_better + found.n_sets;
}

TEST_ON_PES(imm, check_accepts_what_is_right) {
  world& w = world::current();
  for (const std::string undirected : {"no", "yes"}) {
    problem p = make_problem(w, parse({{"graph", "rmat:scale=8,factor=4"}, {"undirected", undirected}}));
    run_actor(w, p);
    EXPECT_EQ(n_faults_of(w, p), 0u);
    const faults found = find_faults(w, p);
    EXPECT_EQ(found.n_followed, 256u);
    EXPECT_NEAR(found.reached, p.influence(), 6 * found.error + 0.1 * p.influence());
    EXPECT_GT(found.error, 0);
    EXPECT_LT(found.error, 0.1 * p.influence());
  }
}

// How many sets each of these vertices adds to those of the vertices before it.
std::vector<std::uint32_t> gains_of(world& w, const problem& p, const std::vector<std::int64_t>& seeds) {
  std::vector<std::uint32_t> gains;
  std::set<std::uint32_t> covered;
  for (const std::int64_t seed : seeds) {
    const auto [owner, local] = p.incoming.rows.place_of(seed);
    std::vector<std::uint32_t> its;
    if (owner == w.my_pe()) {
      const auto mine = p.sets.of_vertex[static_cast<std::size_t>(local)];
      its.assign(mine.begin(), mine.end());
    }
    its.resize(w.broadcast(its.size(), owner));
    if (!its.empty()) w.broadcast(std::span(its), owner);
    const std::size_t before = covered.size();
    covered.insert(its.begin(), its.end());
    gains.push_back(static_cast<std::uint32_t>(covered.size() - before));
  }
  return gains;
}

TEST_ON_PES(imm, check_finds_every_fault) {
  world& w = world::current();
  problem right = make_problem(w, parse({{"graph", "rmat:scale=8,factor=4"}, {"undirected", "yes"}, {"seeds", "5"}}));
  run_actor(w, right);
  problem p = right;
  ++p.chosen.gains[2];
  EXPECT_EQ(find_faults(w, p).n_gains, 1u);
  p = right;
  std::swap(p.chosen.seeds[0], p.chosen.seeds[4]);
  EXPECT_GT(find_faults(w, p).n_gains, 0u);

  // The best vertex is left out, and the numbers are right for the others.
  p = right;
  p.chosen.seeds.erase(p.chosen.seeds.begin());
  p.chosen.gains = gains_of(w, p, p.chosen.seeds);
  EXPECT_EQ(find_faults(w, p).n_gains, 0u);
  EXPECT_GT(find_faults(w, p).n_better, 0u);

  // The last one added less than another vertex would.
  p = right;
  p.chosen.seeds.pop_back();
  p.chosen.gains.pop_back();
  p.chosen.gains.back() = right.chosen.gains.back() - 1;
  EXPECT_EQ(find_faults(w, p).n_gains, 1u);
  EXPECT_EQ(find_faults(w, p).n_better, 1u);

  // A set has no chosen vertex, though they reach its root; and the reverse.
  constexpr std::uint32_t n_followed = 256;
  std::vector<std::uint32_t> is_covered(n_followed, 0);
  for (const std::int64_t seed : right.chosen.seeds) {
    const auto [owner, local] = right.incoming.rows.place_of(seed);
    if (owner != w.my_pe()) continue;
    for (const std::uint32_t set : right.sets.of_vertex[static_cast<std::size_t>(local)]) {
      if (set < n_followed) is_covered[set] = 1;
    }
  }
  w.max(std::span(is_covered));
  const auto first_set = [&](std::uint32_t covered) {
    return static_cast<std::uint32_t>(std::ranges::find(is_covered, covered) - is_covered.begin());
  };
  ASSERT_LT(first_set(0), n_followed);
  ASSERT_LT(first_set(1), n_followed);
  const auto replace_members = [&](const auto& change) {
    p = right;
    change(p.members);
    p.sets = sets_of_vertices(p.members, p.sets.of_vertex.size(), p.n_sets);
    p.chosen.gains = gains_of(w, p, p.chosen.seeds);
    const faults found = find_faults(w, p);
    EXPECT_EQ(found.n_gains, 0u);
    EXPECT_EQ(found.n_sets, 1u);
  };
  const auto is_chosen = [&](membership m) {
    return std::ranges::count(right.chosen.seeds, right.incoming.global_row(m.vertex)) != 0;
  };
  replace_members([&](std::vector<membership>& members) {
    std::erase_if(members, [&](membership m) { return m.set == first_set(1) && is_chosen(m); });
  });
  replace_members([&](std::vector<membership>& members) {
    const auto [owner, local] = right.incoming.rows.place_of(right.chosen.seeds[0]);
    if (owner == w.my_pe()) members.push_back({static_cast<std::uint32_t>(local), first_set(0)});
  });

  // Sets of other edges.
  p = right;
  p.key ^= 1;
  EXPECT_GT(find_faults(w, p).n_sets, 0u);
  // Edges let through less often than those of the sets did.
  p = right;
  for (double& scale : p.scales) scale *= 2;
  EXPECT_GT(find_faults(w, p).n_sets, 0u);
}

std::string refusal_of(world& w, const option_list& options) {
  try {
    describe_imm().make(w, options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(imm, refuses_bad_options_in_one_line) {
  world& w = world::current();
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"seeds", "6"}}),
            "--seeds=6 is more than the graph's 5 vertices; give at most 5");
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"seeds", "0"}}).find("--seeds=0"), 0u);
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=0"}}), "a graph without vertices has no influence; give another graph");
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"probability", "1.5"}}).find("--probability=1.5"), 0u);
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"epsilon", "0"}}).find("--epsilon=0 is not a number from 0.001 to 1"),
            0u);
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"ell", "-1"}}).find("--ell=-1"), 0u);
  EXPECT_EQ(refusal_of(w, {{"graph", "er:n=5"}, {"seed", "x"}}).find("--seed=x"), 0u);
  EXPECT_EQ(refusal_of(w, {{"depth", "1"}}), "imm has no option --depth");
}

std::string refusal_of_run(world& w, const option_list& options) {
  problem p = make_problem(w, parse(options));
  try {
    run_actor(w, p);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(imm, refuses_more_sets_than_it_can_count) {
  const std::string refusal = refusal_of_run(
      world::current(), {{"graph", "er:n=100000,degree=1"}, {"epsilon", "0.001"}, {"seeds", "200"}, {"ell", "100"}});
  EXPECT_EQ(refusal.find("imm needs 519014"), 0u) << refusal;
  EXPECT_NE(refusal.find(" sets, of at most 4294967295; give a larger --epsilon"), std::string::npos) << refusal;
}

// On each PE far more than it has: about 2,000 members in each of 60,000,000 sets. Some hundred sets tell it.
TEST_ON_PES(imm, refuses_members_that_memory_does_not_hold) {
  world& w = world::current();
  problem p = make_problem(w, parse({{"graph", "er:n=2000,degree=5"},
                                     {"undirected", "yes"},
                                     {"probability", "1"},
                                     {"seeds", "5"},
                                     {"epsilon", "0.001"}}));
  std::string refusal;
  try {
    run_actor(w, p);
  } catch (const setup_error& e) {
    refusal = e.what();
  }
  EXPECT_EQ(refusal.find("imm with these --probability and --epsilon asks for "), 0u) << refusal;
  EXPECT_TRUE(refusal.ends_with(" MiB; give a smaller --probability or a larger --epsilon")) << refusal;
  EXPECT_LE(p.n_sets, 2048u);
  EXPECT_LE(w.sum(p.members.size()), 2048u * 2000u);
}

// More than 3,000,000,000 sets, which take 63 GB without their members. They are refused before they are made.
TEST_ON_PES(imm, refuses_more_sets_than_memory_holds) {
  if (this_machine().memory_bytes >= std::uint64_t{60'000'000'000}) return;
  const std::string refusal = refusal_of_run(
      world::current(), {{"graph", "er:n=100000,degree=1"}, {"epsilon", "0.001"}, {"seeds", "50"}, {"ell", "100"}});
  EXPECT_EQ(refusal.find("imm with these --probability and --epsilon asks for "), 0u) << refusal;
}

}  // namespace
}  // namespace shoal::kernels::imm
