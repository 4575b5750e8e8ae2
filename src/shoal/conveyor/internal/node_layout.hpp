/// Which PEs share a node. Routes of more than one hop depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// Nodes and the PEs on each; the same on every PE. Nodes may have different numbers of PEs. The PEs of a node need not
/// have consecutive numbers: a launcher may place them round robin.
class node_layout {
public:
  /// Nodes of `node_size` PEs each, the last one possibly smaller; 0: all PEs on one node.
  node_layout(pe_id n_pes, pe_id node_size);

  /// Nodes of the given sizes, each at least 1, that hold consecutive PEs in order.
  explicit node_layout(std::span<const pe_id> node_sizes);

  /// From the node of each PE. Nodes are numbered in the order of their first PEs.
  explicit node_layout(std::span<const std::uint32_t> node_of_pes);

  pe_id n_pes() const noexcept { return static_cast<pe_id>(pes_.size()); }
  std::size_t n_nodes() const noexcept { return first_.size() - 1; }

  std::size_t node_of(pe_id pe) const noexcept { return places_[static_cast<std::size_t>(pe)].node; }
  /// Position of a PE on its node; PEs of a node are in ascending order.
  pe_id local_of(pe_id pe) const noexcept { return places_[static_cast<std::size_t>(pe)].local; }
  pe_id node_size(std::size_t node) const noexcept {
    return static_cast<pe_id>(first_[node + 1]) - static_cast<pe_id>(first_[node]);
  }
  pe_id largest_node() const noexcept { return largest_; }
  /// The PE at a position on a node.
  pe_id pe_at(std::size_t node, pe_id local) const noexcept {
    return pes_[first_[node] + static_cast<std::size_t>(local)];
  }
  /// The PEs of a node, by position.
  const std::uint32_t* pes_of(std::size_t node) const noexcept { return pes_.data() + first_[node]; }

private:
  struct place {
    std::uint32_t node;
    std::uint32_t local;
  };

  std::vector<place> places_;  // by PE
  std::vector<std::uint32_t> pes_;  // node by node
  std::vector<std::uint32_t> first_;  // where each node's PEs begin in pes_; then n_pes
  pe_id largest_ = 0;
};

}  // namespace shoal::internal
