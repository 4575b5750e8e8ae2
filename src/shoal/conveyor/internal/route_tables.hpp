/// What routes of a job have in common: where items first go does not depend on the PE, only on how many PEs its node has.
///
/// A table has 8 bytes or more for each PE. So where PEs share their memory, they share the tables (exchange_parts.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
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

class route_tables {
public:
  explicit route_tables(node_layout nodes) : nodes_(std::move(nodes)) {}
  route_tables(const route_tables&) = delete;
  route_tables& operator=(const route_tables&) = delete;

  const node_layout& nodes() const noexcept { return nodes_; }

  /// For PEs on nodes of that size. Made by the first call.
  const first_hops& first(int n_hops, pe_id node_size);

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
  std::array<std::uint32_t, n_hops_max + 1> n_first_tags_{};  // by hops; 0: not known yet
};

}  // namespace shoal::internal
