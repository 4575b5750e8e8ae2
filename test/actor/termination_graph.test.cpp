// Goal: the knots of a termination graph, their feeders and their order. Method: graphs drawn by hand, and random ones
// against reachability by repeated squaring.
// labels: fast
#include "shoal/actor/internal/termination_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "shoal/base/random.hpp"

namespace shoal::test {
namespace {

using internal::graph_knot;
using internal::graph_node;
using internal::knots_of;
using positions = std::vector<std::size_t>;

TEST(termination_graph, of_a_chain_goes_from_its_beginning_to_its_end) {
  const auto knots = knots_of({{true, {1}}, {true, {2}}, {true, {}}});
  ASSERT_EQ(knots.size(), 3U);
  EXPECT_EQ(knots[0].members, positions{2});
  EXPECT_EQ(knots[1].members, positions{1});
  EXPECT_EQ(knots[1].feeders, positions{2});
  EXPECT_EQ(knots[2].members, positions{0});
  for (const graph_knot& each : knots) EXPECT_FALSE(each.is_cyclic);
}

TEST(termination_graph, makes_one_knot_of_a_cycle) {
  const auto knots = knots_of({{true, {2}}, {true, {0, 3}}, {true, {1}}, {true, {}}, {true, {4}}});
  ASSERT_EQ(knots.size(), 3U);
  const auto cycle = std::ranges::find_if(knots, [](const graph_knot& each) { return each.members.size() == 3; });
  ASSERT_NE(cycle, knots.end());
  EXPECT_EQ(cycle->members, (positions{0, 1, 2}));
  EXPECT_EQ(cycle->feeders, positions{3});
  EXPECT_TRUE(cycle->is_cyclic);
  const auto self = std::ranges::find(knots, positions{4}, &graph_knot::members);
  ASSERT_NE(self, knots.end());
  EXPECT_TRUE(self->is_cyclic);
  EXPECT_TRUE(self->feeders.empty());
}

TEST(termination_graph, leaves_out_what_an_undeclared_mailbox_may_reach) {
  // 0 feeds 1, which is undeclared and feeds 2; 2 feeds 3.
  const auto knots = knots_of({{true, {}}, {false, {}}, {true, {1}}, {true, {2}}});
  ASSERT_EQ(knots.size(), 1U);
  EXPECT_EQ(knots[0].members, positions{0});
}

// Whether there is a way of one step or more from feeder j to i.
std::vector<std::vector<bool>> ways(const std::vector<graph_node>& nodes) {
  const std::size_t n = nodes.size();
  std::vector<std::vector<bool>> has_way(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::size_t j : nodes[i].feeders) has_way[i][j] = true;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) has_way[i][j] = has_way[i][j] || (has_way[i][k] && has_way[k][j]);
    }
  }
  return has_way;
}

void expect_right(const std::vector<graph_node>& nodes) {
  const auto has_way = ways(nodes);
  const auto knots = knots_of(nodes);
  std::vector<std::size_t> knot_of_node(nodes.size(), SIZE_MAX);
  for (std::size_t k = 0; k < knots.size(); ++k) {
    for (const std::size_t i : knots[k].members) {
      EXPECT_EQ(knot_of_node[i], SIZE_MAX);
      knot_of_node[i] = k;
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    bool closes = nodes[i].is_declared;
    for (std::size_t j = 0; j < nodes.size(); ++j) closes = closes && (!has_way[i][j] || nodes[j].is_declared);
    ASSERT_EQ(knot_of_node[i] != SIZE_MAX, closes) << i;
    if (!closes) continue;
    const graph_knot& its = knots[knot_of_node[i]];
    EXPECT_EQ(its.is_cyclic, has_way[i][i]);
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      EXPECT_EQ(knot_of_node[j] == knot_of_node[i], i == j || (has_way[i][j] && has_way[j][i])) << i << ", " << j;
    }
    for (const std::size_t j : nodes[i].feeders) {
      const bool is_outside = knot_of_node[j] != knot_of_node[i];
      EXPECT_EQ(std::ranges::find(its.feeders, j) != its.feeders.end(), is_outside);
      if (is_outside) {
        EXPECT_LT(knot_of_node[j], knot_of_node[i]);
      }
    }
  }
}

TEST(termination_graph, of_random_edges_is_what_reachability_says) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    random_engine random(seed, 0);
    std::vector<graph_node> nodes(random.below(13));
    const std::uint64_t n_edges = nodes.empty() ? 0 : random.below(2 * nodes.size() + 1);
    for (graph_node& each : nodes) each.is_declared = random.below(8) != 0;
    for (std::uint64_t e = 0; e < n_edges; ++e) {
      graph_node& fed = nodes[random.below(nodes.size())];
      if (fed.is_declared) fed.feeders.push_back(random.below(nodes.size()));
    }
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_right(nodes);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace shoal::test
