/// What routes of a job have in common. Where items first go depends only on how many PEs the PE's node has; where they go on
/// the second hop of three, also on the node's place and the PE's position.
///
/// A table has 8 bytes or more for each PE, or for each PE that an item may pass a PE for. So where PEs share their memory,
/// they share the tables (exchange_parts.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/hop_tags.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"

namespace shoal::internal {

inline constexpr int n_hops_max = 3;

/// The first hop of a route, as the PEs of one node see it.
struct first_hops {
  std::vector<next_hop> by_target;
  // By link: the position on the node of the PE that it leads to. With one hop there is a link to each PE, by its number.
  std::vector<pe_id> locals;
  // By position on the node: the targets of items that pass this PE, ascending. An item's tag is the place of its target here.
  std::vector<std::vector<pe_id>> passing;
};

/// The second hop of a route of three, as the PEs see it that have one position on nodes of one place and size.
struct second_hops {
  std::vector<pe_id> neighbours;  // by link; ascending
  // By tag of the first hop: where items go next that pass this PE. A tag there lacks the sender's part.
  std::vector<next_hop> passing;
};

class route_tables {
public:
  explicit route_tables(node_layout nodes) : nodes_(std::move(nodes)) {}
  route_tables(const route_tables&) = delete;
  route_tables& operator=(const route_tables&) = delete;

  const node_layout& nodes() const noexcept { return nodes_; }

  /// For PEs on nodes of that size. Made by the first call.
  const first_hops& first(int n_hops, pe_id node_size);

  /// With three hops, for the PE at position `local` of any node of that size and place. Made by the first call.
  const second_hops& second(pe_id node_size, std::size_t place, pe_id local);

  /// How many tags there are on the first hop, on any PE. Made by the first call.
  std::uint32_t n_first_tags(int n_hops);

  /// Position of a node in its group, for three hops. A group has as many nodes as the largest node has PEs, so each of that
  /// node's PEs serves one place.
  std::size_t place_of(std::size_t node) const noexcept {
    return node % static_cast<std::size_t>(nodes_.largest_node());
  }

private:
  first_hops make(int n_hops, pe_id node_size) const;

  node_layout nodes_;
  std::map<std::pair<int, pe_id>, first_hops> first_;  // by hops and PEs of a node
  std::map<std::tuple<pe_id, std::size_t, pe_id>, second_hops> second_;  // by PEs of a node, its place, position
  std::array<std::uint32_t, n_hops_max + 1> n_first_tags_{};  // by hops; 0: not known yet
};

}  // namespace shoal::internal
