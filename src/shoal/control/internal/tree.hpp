/// The tree of a group: a formula over positions, which are numbers in base 4.
///
/// A position's parent has its lowest non-zero digit replaced by zero. So every subtree is an aligned interval of
/// positions, and position 0 is the root. docs/design/control-plane.md has the consequences.
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

/// Calls `visit` with each child of a position below `n_positions`, in ascending order.
template <class Visit>
constexpr void for_each_tree_child(std::uint64_t position, std::uint64_t n_positions, Visit visit) {
  for (std::uint64_t unit = 1; position / unit % 4 == 0 && position + unit < n_positions; unit *= 4) {
    for (std::uint64_t child = position + unit; child <= position + 3 * unit && child < n_positions; child += unit) {
      visit(child);
    }
  }
}

/// Positions that keep the members of a node together: node * stride + place on the node, where stride is a power of 4.
/// `nodes` holds the node of each rank; here nodes are numbered by their lowest ranks. So each node has one edge up,
/// and only its first member has children on other nodes. Positions have gaps, but the parent of an occupied position
/// is occupied, too.
std::vector<std::uint64_t> tree_positions_by_node(std::span<const std::uint32_t> nodes);

}  // namespace shoal::internal
