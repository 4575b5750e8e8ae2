// Goal: hop_choice finds the cheaper route. Method: supersteps for which a model that counts each buffer computes what
// they post, with one hop and with two, on nodes of equal size.
#include "shoal/conveyor/internal/hop_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace shoal::test {

using namespace internal;
namespace {

constexpr pe_id n_pes = 128;
constexpr pe_id node_size = 16;
constexpr std::size_t slot_bytes = 32768;

// As on the simulator: any two PEs are equally far.
const link_costs network{
    .node = {1000, 200, 100, 0.1}, .network = {1000, 200, 100, 0.1}, .n_sharing = 1, .origin = figures_origin::model};

hop_choice choice_from(int least, int most = n_hops_max) {
  return {node_layout(n_pes, node_size), {.least = least, .most = most, .slot_bytes = slot_bytes, .costs = network}};
}

// Every PE sends `n` items of `bytes` to each of `n_targets` PEs, which are spread over nodes and places.
superstep_traffic spread(int n_hops, std::uint64_t n, std::uint64_t bytes, std::uint64_t n_targets = n_pes) {
  const auto buffers_for = [&](std::uint64_t n_links) {
    const std::uint64_t of_link = n * bytes * n_targets / n_links;
    return n_links * std::max<std::uint64_t>(1, (of_link + slot_bytes - 1) / slot_bytes);
  };
  const auto on_node = std::min<std::uint64_t>(node_size, n_targets);
  const auto away = std::min<std::uint64_t>(n_pes / node_size, n_targets);
  const std::uint64_t first = n_pes * buffers_for(n_hops == 1 ? n_targets : on_node);
  return {.n_items = n_pes * n_targets * n,
          .n_bytes = n_pes * n_targets * n * bytes,
          .n_first_buffers = first,
          .n_buffers = n_hops == 1 ? first : first + n_pes * buffers_for(away)};
}

TEST(hop_choice, takes_two_hops_for_small_supersteps_and_one_for_large) {
  hop_choice choice = choice_from(1);
  EXPECT_EQ(choice.n_hops(), 1);
  choice.learn(spread(1, 1, 8));
  EXPECT_EQ(choice.n_hops(), 2);
  for (int i = 0; i < 10; ++i) choice.learn(spread(choice.n_hops(), 1, 8));
  EXPECT_EQ(choice.n_hops(), 2);
  for (int i = 0; i < 10; ++i) choice.learn(spread(choice.n_hops(), 4000, 8));
  EXPECT_EQ(choice.n_hops(), 1);
  for (int i = 0; i < 40; ++i) choice.learn(spread(choice.n_hops(), 16, 8));
  EXPECT_EQ(choice.n_hops(), 2);
}

TEST(hop_choice, lets_the_long_supersteps_decide_where_long_and_short_ones_alternate) {
  hop_choice choice = choice_from(1);
  for (int i = 0; i < 20; ++i) {
    choice.learn(spread(choice.n_hops(), 1, 8));
    choice.learn(spread(choice.n_hops(), 4000, 8));
    EXPECT_EQ(choice.n_hops(), 1) << i;
  }
}

TEST(hop_choice, stays_with_one_hop_where_a_pe_sends_to_few) {
  hop_choice choice = choice_from(1);
  for (int i = 0; i < 20; ++i) choice.learn(spread(1, 1, 8, 6));
  EXPECT_EQ(choice.n_hops(), 1);
  choice.learn({.n_items = 1, .n_bytes = 8, .n_first_buffers = 1, .n_buffers = 1});
  EXPECT_EQ(choice.n_hops(), 1);
}

TEST(hop_choice, does_not_go_to_and_fro) {
  for (std::uint64_t n = 1; n < 2000; n += n / 4 + 1) {
    hop_choice choice = choice_from(1);
    int n_changes = 0;
    for (int i = 0; i < 60; ++i) {
      const int before = choice.n_hops();
      choice.learn(spread(before, n, 8));
      n_changes += choice.n_hops() != before;
    }
    EXPECT_LE(n_changes, 1) << n << " items for each pair";
  }
}

TEST(hop_choice, is_closed_on_one_node_where_every_pe_is_a_node_and_where_the_hops_are_given) {
  EXPECT_FALSE(choice_from(2, 2).is_open());
  const hop_choice_options options{.slot_bytes = slot_bytes, .costs = network};
  EXPECT_FALSE(hop_choice(node_layout(64, 0), options).is_open());
  EXPECT_FALSE(hop_choice(node_layout(64, 1), options).is_open());
  EXPECT_TRUE(hop_choice(node_layout(64, 8), options).is_open());
}

TEST(hop_choice, never_takes_fewer_hops_than_the_budget_asks_for) {
  hop_choice choice = choice_from(2);
  for (int i = 0; i < 20; ++i) choice.learn(spread(2, 4000, 8));
  EXPECT_EQ(choice.n_hops(), 2);
}

}  // namespace
}  // namespace shoal::test
