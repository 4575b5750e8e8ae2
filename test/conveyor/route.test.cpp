// Goal: every route leads every item to its target and identifies its origin, whatever the node_layout. Method: walks
// from each PE to each PE along the routes of all PEs, over equal, ragged and random nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/route.hpp"

namespace shoal {

using namespace internal;
namespace {

std::vector<route> routes_of(route_tables& tables, int n_hops) {
  std::vector<route> all;
  for (pe_id pe = 0; pe < tables.nodes().n_pes(); ++pe) all.emplace_back(tables, pe, n_hops);
  return all;
}

void expect_tag_fits(std::uint32_t tag, std::uint32_t bytes) {
  if (bytes < 4) {
    EXPECT_LT(tag, 1U << (8 * bytes));
  }
}

// One item from `from` to `to`, hop by hop.
void walk(const std::vector<route>& all, pe_id from, pe_id to) {
  const auto at = [&](pe_id pe) -> const route& { return all[static_cast<std::size_t>(pe)]; };
  const int n_hops = at(from).n_hops();
  pe_id sender = from;
  next_hop next = at(from).first(to);
  for (int h = 0;; ++h) {
    const hop_links& links = at(sender).hop(h);
    ASSERT_LT(next.link, links.neighbours.size());
    expect_tag_fits(next.tag, links.tag_bytes);
    const pe_id receiver = links.neighbours[next.link];
    if (h == n_hops - 1) {
      EXPECT_EQ(receiver, to);
      EXPECT_EQ(at(receiver).origin(sender, next.tag), from);
      return;
    }
    next = at(receiver).onward(h, sender, next.tag);
    sender = receiver;
  }
}

void expect_senders_right(const std::vector<route>& all) {
  for (int h = 0; h < all[0].n_hops(); ++h) {
    std::vector<std::size_t> n_senders(all.size());
    for (const route& r : all) {
      EXPECT_TRUE(std::ranges::is_sorted(r.hop(h).neighbours));
      for (const pe_id pe : r.hop(h).neighbours) ++n_senders[static_cast<std::size_t>(pe)];
      EXPECT_EQ(r.hop(h).tag_bytes, all[0].hop(h).tag_bytes);
    }
    for (std::size_t pe = 0; pe < all.size(); ++pe) EXPECT_EQ(all[pe].hop(h).n_senders, n_senders[pe]);
  }
}

void expect_all_pairs(const node_layout& nodes) {
  for (int n_hops = 1; n_hops <= n_hops_max; ++n_hops) {
    SCOPED_TRACE(std::to_string(n_hops) + " hops, " + std::to_string(nodes.n_pes()) + " PEs, " +
                 std::to_string(nodes.n_nodes()) + " nodes");
    route_tables tables(nodes);
    const std::vector<route> all = routes_of(tables, n_hops);
    expect_senders_right(all);
    for (pe_id from = 0; from < nodes.n_pes(); ++from) {
      for (pe_id to = 0; to < nodes.n_pes(); ++to) walk(all, from, to);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(route, leads_everywhere_on_equal_nodes_and_a_smaller_last_one) {
  for (pe_id n_pes = 1; n_pes <= 27; ++n_pes) {
    for (pe_id node_size = 1; node_size <= 9; ++node_size) expect_all_pairs(node_layout(n_pes, node_size));
  }
}

TEST(route, leads_everywhere_on_ragged_nodes) {
  random_engine random(11);
  for (int i = 0; i < 200; ++i) {
    std::vector<pe_id> sizes(1 + random.below(12));
    for (pe_id& size : sizes) size = 1 + static_cast<pe_id>(random.below(6));
    expect_all_pairs(node_layout(sizes));
  }
}

TEST(route, leads_everywhere_on_nodes_whose_PEs_were_dealt_round_robin) {
  for (std::uint32_t n_nodes = 1; n_nodes <= 7; ++n_nodes) {
    for (const std::size_t n_pes : {n_nodes + 0UL, 2UL * n_nodes + 1, 23UL}) {
      std::vector<std::uint32_t> node_of_pes(n_pes);
      for (std::uint32_t pe = 0; pe < n_pes; ++pe) node_of_pes[pe] = pe % n_nodes;
      expect_all_pairs(node_layout(node_of_pes));
    }
  }
}

TEST(route, leads_everywhere_on_nodes_whose_PEs_lie_anywhere) {
  random_engine random(12);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint32_t> node_of_pes(1 + random.below(25));
    std::uint32_t n_nodes = 0;
    for (std::uint32_t& node : node_of_pes) {
      node = static_cast<std::uint32_t>(random.below(n_nodes + 1));
      if (node == n_nodes) ++n_nodes;
    }
    expect_all_pairs(node_layout(node_of_pes));
  }
}

TEST(node_layout, finds_each_PE_at_its_place) {
  const std::vector<std::uint32_t> node_of_pes{0, 1, 0, 2, 1, 0};
  const node_layout nodes(node_of_pes);
  EXPECT_EQ(nodes.n_nodes(), 3U);
  EXPECT_EQ(nodes.largest_node(), 3);
  const std::vector<std::vector<pe_id>> expected{{0, 2, 5}, {1, 4}, {3}};
  for (std::size_t node = 0; node < expected.size(); ++node) {
    ASSERT_EQ(nodes.node_size(node), static_cast<pe_id>(expected[node].size()));
    for (pe_id local = 0; local < nodes.node_size(node); ++local) {
      const pe_id pe = expected[node][static_cast<std::size_t>(local)];
      EXPECT_EQ(nodes.pe_at(node, local), pe);
      EXPECT_EQ(nodes.node_of(pe), node);
      EXPECT_EQ(nodes.local_of(pe), local);
    }
  }
}

TEST(route, leads_everywhere_where_tags_are_wide) { expect_all_pairs(node_layout(1030, 2)); }

std::size_t n_links(const route& r) {
  std::size_t n = 0;
  for (int h = 0; h < r.n_hops(); ++h) n += r.hop(h).neighbours.size();
  return n;
}

TEST(route, needs_a_twentieth_of_the_buffers_with_three_hops_at_4096_PEs) {
  route_tables tables(node_layout(4096, 64));
  const std::size_t slot = 32 * 1024;
  const std::size_t one = reserved_bytes(n_links(route(tables, 5, 1)), 2, slot, 4096, 1);
  const std::size_t three = reserved_bytes(n_links(route(tables, 5, 3)), 2, slot, 4096, 3);
  EXPECT_LE(three * 20, one);
}

// A table for each PE would grow with the square of their number.
TEST(route_tables, of_the_second_hop_are_shared_by_nodes_of_a_place) {
  constexpr pe_id n_nodes = 64, node_size = 4;
  route_tables tables(node_layout(n_nodes * node_size, node_size));
  std::set<const second_hops*> made;
  std::size_t n_entries = 0;
  for (std::size_t node = 0; node < n_nodes; ++node) {
    for (pe_id local = 0; local < node_size; ++local) {
      const second_hops& its = tables.second(node_size, tables.place_of(node), local);
      if (made.insert(&its).second) n_entries += its.passing.size();
    }
  }
  EXPECT_EQ(n_entries, std::size_t{node_size} * n_nodes * node_size) << "each PE's number once for each place";
}

}  // namespace
}  // namespace shoal
