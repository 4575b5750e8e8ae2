/// The tree of a group: one formula over positions, which are numbers written in base 4.
///
/// A position's parent has the lowest non-zero digit set to zero. So every subtree is an aligned interval of positions,
/// and position 0 is the root. docs/design/control-plane.md tells what that gives.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace shoal::internal {

/// The parent of a position other than 0.
constexpr std::uint64_t tree_parent(std::uint64_t position) noexcept {
  const int shift = std::countr_zero(position) & ~1;
  return position & ~(std::uint64_t{3} << shift);
}

/// Calls `visit` with each child of a position, in ascending order, if positions end before `n_positions`.
template <class Visit>
constexpr void for_each_tree_child(std::uint64_t position, std::uint64_t n_positions, Visit visit) {
  for (std::uint64_t unit = 1; position / unit % 4 == 0 && position + unit < n_positions; unit *= 4) {
    for (std::uint64_t child = position + unit; child <= position + 3 * unit && child < n_positions; child += unit) {
      visit(child);
    }
  }
}

/// Positions that keep the members of a node together: node * stride + place on the node, where stride is a power of 4.
/// `nodes` has the node of each rank; here, nodes are numbered by their lowest ranks. So one edge leads up from a node,
/// and only the node's first member has children on other nodes. Positions have gaps, but the parent of a position that
/// somebody has is one that somebody has, too.
std::vector<std::uint64_t> tree_positions_by_node(std::span<const std::uint32_t> nodes);

}  // namespace shoal::internal
