/// Which PEs share a node. Routes of more than one hop follow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"

namespace shoal {

/// Nodes and the PEs on each, the same on every PE. Nodes may have different numbers of PEs. The PEs of a
/// node have consecutive numbers.
class node_layout {
public:
  /// Nodes of `node_size` PEs each, the last one with what is left; 0: all PEs on one node.
  node_layout(pe_id n_pes, pe_id node_size);

  /// Nodes of the given sizes, in order; each at least 1.
  explicit node_layout(std::span<const pe_id> node_sizes);

  pe_id n_pes() const noexcept { return first_.back(); }
  std::size_t n_nodes() const noexcept { return first_.size() - 1; }

  std::size_t node_of(pe_id pe) const noexcept { return node_of_[static_cast<std::size_t>(pe)]; }
  /// Position of a PE on its node.
  pe_id local_of(pe_id pe) const noexcept { return pe - first_[node_of(pe)]; }
  pe_id node_size(std::size_t node) const noexcept { return first_[node + 1] - first_[node]; }
  pe_id largest_node() const noexcept { return largest_; }
  /// The PE at a position of a node.
  pe_id pe_at(std::size_t node, pe_id local) const noexcept { return first_[node] + local; }

private:
  std::vector<pe_id> first_;  // first PE of each node, and n_pes
  std::vector<std::uint32_t> node_of_;
  pe_id largest_ = 0;
};

}  // namespace shoal
