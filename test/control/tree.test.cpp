// Goal: the trees of groups are those of docs/design/control-plane.md, including its table, and each member finds its
// own place in them.
#include "shoal/control/internal/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/control/internal/group.hpp"
#include "test/control/control_network.hpp"

namespace shoal::internal {
namespace {

using test::control_network;
using test::nodes_of;

// The parent, computed digit by digit.
std::uint64_t parent_by_digits(std::uint64_t position) {
  std::uint64_t unit = 1;
  while (position / unit % 4 == 0) unit *= 4;
  return position - position / unit % 4 * unit;
}

TEST(tree, zeroes_the_lowest_digit_that_is_not_zero) {
  for (std::uint64_t position = 1; position < 5000; ++position) {
    ASSERT_EQ(tree_parent(position), parent_by_digits(position)) << position;
  }
  EXPECT_EQ(tree_parent(std::uint64_t{3} << 60), 0U);
}

TEST(tree, gives_each_position_to_one_parent) {
  for (const std::uint64_t n : {1, 2, 4, 5, 16, 17, 63, 64, 65, 300}) {
    std::vector<int> n_parents(n);
    for (std::uint64_t parent = 0; parent < n; ++parent) {
      std::uint64_t last = parent;
      for_each_tree_child(parent, n, [&](std::uint64_t child) {
        ASSERT_GT(child, last);  // ascending
        last = child;
        ASSERT_LT(child, n);
        EXPECT_EQ(tree_parent(child), parent);
        ++n_parents[child];
      });
    }
    EXPECT_EQ(n_parents[0], 0);
    EXPECT_TRUE(std::all_of(n_parents.begin() + 1, n_parents.end(), [](int found) { return found == 1; })) << n;
  }
}

struct shape {
  int depth = 0;
  int children = 0;  // at most
  int edges = 0;  // that cross the border of a node, at most
};

shape shape_of(const std::vector<std::uint64_t>& positions, const std::vector<std::uint32_t>& nodes) {
  std::map<std::uint64_t, std::size_t> ranks;
  for (std::size_t rank = 0; rank < positions.size(); ++rank) ranks[positions[rank]] = rank;
  EXPECT_EQ(ranks.size(), positions.size());
  EXPECT_EQ(ranks.count(0), 1U);
  std::vector<int> children(positions.size());
  std::map<std::uint32_t, int> edges;
  shape found;
  for (const auto& [position, rank] : ranks) {
    int depth = 0;
    for (std::uint64_t above = position; above != 0; above = tree_parent(above)) ++depth;
    found.depth = std::max(found.depth, depth);
    if (position == 0) continue;
    const auto parent = ranks.find(tree_parent(position));
    if (parent == ranks.end()) {
      ADD_FAILURE() << "the parent of position " << position << " is nobody";
      continue;
    }
    found.children = std::max(found.children, ++children[parent->second]);
    if (nodes[rank] == nodes[parent->second]) continue;
    for (const std::size_t end : {rank, parent->second}) found.edges = std::max(found.edges, ++edges[nodes[end]]);
  }
  return found;
}

TEST(tree, has_the_shape_that_the_page_says) {
  struct row {
    pe_id n_pes;
    pe_id per_node;
    bool is_cyclic;
    int depth;
    int children;
    int edges_by_node;
    int edges_by_rank;
  };
  for (const row& expected : {row{256, 64, false, 4, 12, 3, 3}, row{1024, 64, false, 5, 15, 6, 6},
                              row{16384, 64, false, 7, 21, 12, 12}, row{16384, 48, false, 7, 21, 13, 15},
                              row{16384, 64, true, 7, 21, 12, 768}, row{131072, 64, false, 9, 25, 16, 16}}) {
    SCOPED_TRACE(std::to_string(expected.n_pes) + " PEs, " + std::to_string(expected.per_node) + " per node" +
                 (expected.is_cyclic ? ", cyclic" : ""));
    const std::vector<std::uint32_t> nodes = nodes_of(expected.n_pes, expected.per_node, expected.is_cyclic);
    const shape by_node = shape_of(tree_positions_by_node(nodes), nodes);
    EXPECT_EQ(by_node.depth, expected.depth);
    EXPECT_EQ(by_node.children, expected.children);
    EXPECT_EQ(by_node.edges, expected.edges_by_node);
    std::vector<std::uint64_t> ranks(nodes.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    EXPECT_EQ(shape_of(ranks, nodes).edges, expected.edges_by_rank);
  }
}

TEST(tree, keeps_nodes_of_any_size_and_order_together) {
  random_engine random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> nodes(1 + random.below(100));
    const std::uint64_t n_nodes = 1 + random.below(nodes.size());
    for (std::uint32_t& node : nodes) node = static_cast<std::uint32_t>(1000 + random.below(n_nodes));
    const std::vector<std::uint64_t> positions = tree_positions_by_node(nodes);
    shape_of(positions, nodes);
    std::map<std::uint32_t, int> n_up;  // edges that lead up from a node
    std::map<std::uint64_t, std::uint32_t> node_at;
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) node_at[positions[rank]] = nodes[rank];
    for (const auto& [position, node] : node_at) {
      if (position != 0 && node_at.at(tree_parent(position)) != node) ++n_up[node];
    }
    for (const auto& [node, n] : n_up) EXPECT_EQ(n, 1) << node;
    EXPECT_EQ(node_at.at(0), nodes[0]);
  }
}

// The views of all members together: the tree of one group.
void check_places(const std::map<pe_id, std::shared_ptr<const group>>& views,
                  const tree_place& (group::*place)() const noexcept) {
  std::set<pe_id> reached;
  for (const auto& [pe, view] : views) {
    for (const pe_id child : (view.get()->*place)().children) {
      ASSERT_TRUE(views.contains(child));
      EXPECT_EQ((views.at(child).get()->*place)().parent, pe);
      EXPECT_TRUE(reached.insert(child).second) << child << " has two parents";
    }
    EXPECT_EQ((view.get()->*place)().parent == -1, view->my_rank() == 0);
  }
  EXPECT_EQ(reached.size(), views.size() - 1);
}

TEST(group, is_one_tree_in_the_eyes_of_its_members) {
  random_engine random(3);
  for (int round = 0; round < 300; ++round) {
    const auto n_pes = static_cast<pe_id>(1 + random.below(70));
    const pe_id per_node = 1 + static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes)));
    control_network network(
        {.n_pes = n_pes,
         .nodes = random.chance(0.3) ? std::vector<std::uint32_t>{} : nodes_of(n_pes, per_node, random.chance(0.5))});
    std::vector<pe_id> members;
    for (pe_id pe = 0; pe < n_pes; ++pe) {
      if (members.empty() || random.chance(0.7)) members.push_back(pe);
    }
    for (std::size_t i = members.size() - 1; i > 0; --i) std::swap(members[i], members[random.below(i + 1)]);
    std::map<pe_id, std::shared_ptr<const group>> views;
    for (const pe_id pe : members) views[pe] = group::listed(network.at(pe), 5, members);
    check_places(views, &group::by_node);
    check_places(views, &group::by_rank);
    for (std::size_t rank = 0; rank < members.size(); ++rank) {
      EXPECT_EQ(views[members[rank]]->my_rank(), static_cast<pe_id>(rank));
    }
  }
}

TEST(group, takes_active_sets_by_start_stride_and_size) {
  control_network network({.n_pes = 20, .nodes = nodes_of(20, 3)});
  std::set<std::uint64_t> ids;
  for (pe_id start = 0; start < 20; ++start) {
    for (pe_id stride = 1; stride < 20; ++stride) {
      for (pe_id size = 2; start + (size - 1) * stride < 20; ++size) {
        std::map<pe_id, std::shared_ptr<const group>> views;
        for (pe_id rank = 0; rank < size; ++rank) {
          const pe_id pe = start + rank * stride;
          views[pe] = group::strided(network.at(pe), start, stride, size);
          EXPECT_EQ(views[pe]->my_rank(), rank);
          EXPECT_EQ(views[pe]->id(), views.begin()->second->id());
        }
        check_places(views, &group::by_node);
        check_places(views, &group::by_rank);
        EXPECT_TRUE(ids.insert(views.begin()->second->id()).second);
      }
    }
  }
  EXPECT_EQ(group::strided(network.at(7), 0, 1, 20)->id(), 0U);
  EXPECT_EQ(group::strided(network.at(7), 7, 1, 1)->id(), group::strided(network.at(7), 7, 5, 1)->id());
  EXPECT_TRUE(ids.contains(0));  // of all 20
}

// A PE of a large job.
class lonely final : public control_transport {
public:
  explicit lonely(pe_id n_pes) noexcept : control_transport(0, n_pes) {}
  bool try_send_control(std::span<const std::byte>, pe_id) noexcept override { return false; }
  bool poll_control(control_message&) noexcept override { return false; }
};

TEST(group, says_what_is_wrong_with_it) {
  control_network network({.n_pes = 4});
  const auto refuses = [](auto make, const char* line) { EXPECT_EXIT(make(), testing::ExitedWithCode(2), line); };
  const std::vector<pe_id> twice{1, 2, 1};
  const std::vector<pe_id> others{1, 2};
  const std::vector<pe_id> unknown{0, 4};
  refuses([&] { group::strided(network.at(0), 1, 2, 2); }, "not a member of start 1, stride 2, size 2");
  refuses([&] { group::strided(network.at(0), 0, 2, 3); }, "size 3 leave the PEs 0 to 3");
  refuses([&] { group::strided(network.at(0), 0, 0, 3); }, "stride 0");
  refuses([&] { group::listed(network.at(1), 1, twice); }, "PE 1 must be in the list once");
  refuses([&] { group::listed(network.at(0), 1, others); }, "PE 0 must be in the list once");
  refuses([&] { group::listed(network.at(0), 1, unknown); }, "there is no PE 4; the last is PE 3");
  refuses([&] { group::listed(network.at(1), 0, others); }, "number is at least 1");
  const lonely large(pe_id{1} << 22);
  refuses([&] { group::strided(large, 0, 1, pe_id{1} << 21); }, "less than 2097152; make a team");
}

}  // namespace
}  // namespace shoal::internal
