// Goal: the sizes of a run are decided before there are routes, but count the links that the routes then have.
#include "shoal/conveyor/internal/buffer_budget.hpp"

#include <gtest/gtest.h>

#include "shoal/conveyor/internal/route.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal {

using namespace internal;
namespace {

std::size_t n_links_of_routes(pe_id n_pes, pe_id node_size, int n_hops) {
  route_tables tables(node_layout(n_pes, node_size));
  std::size_t most = 0;
  for (pe_id pe = 0; pe < n_pes; ++pe) {
    const route way(tables, pe, n_hops);
    std::size_t n = 0;
    for (int h = 0; h < n_hops; ++h) n += way.hop(h).neighbours.size();
    most = std::max(most, n);
  }
  return most;
}

TEST(buffer_budget, counts_the_links_of_routes) {
  for (int n_hops = 1; n_hops <= n_hops_max; ++n_hops) {
    for (const pe_id node_size : {1, 2, 4, 8}) {
      for (const pe_id n_nodes : {1, 2, 4, 16}) {
        const pe_id n_pes = node_size * n_nodes;
        const auto counted = n_links_of(static_cast<std::size_t>(n_pes), static_cast<std::size_t>(node_size), n_hops);
        EXPECT_GE(counted, n_links_of_routes(n_pes, node_size, n_hops))
            << n_hops << " hops, " << n_nodes << " nodes of " << node_size;
        // Nodes and groups that fill the grid have exactly these links.
        if (n_hops < 3 || n_nodes % node_size == 0) {
          EXPECT_EQ(counted, n_links_of_routes(n_pes, node_size, n_hops))
              << n_hops << " hops, " << n_nodes << " nodes of " << node_size;
        }
      }
    }
  }
}

TEST(buffer_budget, slots_and_spill_stay_within_it) {
  for (std::size_t bytes = buffer_budget::bytes_min(); bytes <= std::size_t{1} << 30; bytes += bytes / 3) {
    const buffer_budget budget(bytes);
    for (const std::size_t n_links : {1, 2, 64, 1024}) {
      const std::size_t slot_bytes = budget.slot_bytes(n_links);
      const std::size_t n_slots = budget.n_slots(slot_bytes);
      EXPECT_GE(n_slots, 8U);
      EXPECT_EQ(slot_bytes % 64, 0U);
      EXPECT_LE(n_slots * (slot_bytes + 64) + budget.spill_bytes(n_slots, slot_bytes), bytes)
          << bytes << " bytes, " << n_links << " links";
    }
  }
}

TEST(buffer_budget, makes_slots_larger_where_buffers_cost_more) {
  const auto of = [](const link_figures& network) { return slot_bytes_for({.network = network}); };
  EXPECT_EQ(of(guessed_node_links), slot_bytes_usual);
  EXPECT_EQ(of(guessed_network_links), slot_bytes_usual);
  EXPECT_EQ(of({180'000, 10'000, 1000, 8}), 2 * slot_bytes_usual);
  EXPECT_EQ(of({180'000, 10'000, 1000, 80}), slot_bytes_usual) << "the bytes cost more";
  EXPECT_EQ(of({180'000, 1'000'000, 1000, 8}), 8 * slot_bytes_usual);
  const buffer_budget budget(std::size_t{64} << 20);
  EXPECT_EQ(budget.slot_bytes(16, 2 * slot_bytes_usual), 2 * slot_bytes_usual);
  EXPECT_EQ(budget.slot_bytes(128, 2 * slot_bytes_usual), slot_bytes_usual) << "each link has its slots first";
}

TEST(buffer_budget, takes_as_few_hops_as_leave_links_slots_of_a_fair_size) {
  const buffer_budget large(std::size_t{256} << 20);
  EXPECT_EQ(large.n_hops(64, 8), 1);
  EXPECT_EQ(large.n_hops(4096, 64), 2);
  const buffer_budget small(std::size_t{64} << 10);
  EXPECT_EQ(small.n_hops(4, 4), 1);  // none has enough slots per link, and one has the fewest links
}

}  // namespace
}  // namespace shoal
