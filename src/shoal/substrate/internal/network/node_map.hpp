/// Finds the ranks that share this PE's memory, and that memory.
///
/// Two ranks are on one node if they run on one kernel under one hostname and one could pass a descriptor to the other.
/// The descriptor goes over a socket in the abstract namespace (SCM_RIGHTS), which leaves no file behind and does not
/// cross network namespaces, like those of containers. If passing fails, the library carries their buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/base/internal/descriptor.hpp"
#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::internal::network {

struct node_map {
  std::vector<std::uint32_t> node_of;  // by rank; nodes are numbered in the order of their first ranks
  std::vector<int> local_of;  // by rank: its position on its node
  std::vector<std::vector<int>> members;  // by node, ascending; the first member is the node's leader
  std::uint32_t my_node = 0;
  int my_local = 0;  // position of this rank on its node

  int machine_size = 1;  // ranks on this machine, whatever nodes SHOAL_NODE_SIZE defines
  int machine_rank = 0;
  int machine_cores = 1;  // cores that these may use together
  bool is_bound = true;  // the launcher gave each rank of this machine its own cores

  descriptor memory;  // the memfd of this node, one job page long
  bool has_life_locks = false;  // every rank of the job holds its lock, at its number, in its node's memory

  int n_nodes() const noexcept { return static_cast<int>(members.size()); }
  const std::vector<int>& my_members() const noexcept { return members[my_node]; }
  bool is_leader() const noexcept { return my_local == 0; }
  bool is_here(int rank) const noexcept { return node_of[static_cast<std::size_t>(rank)] == my_node; }
};

/// Finds the nodes, with the wire's all_gather. `node_size` > 0 limits the ranks per node. Collective, waits. Throws
/// setup_error on this rank alone if it cannot get memory to share.
node_map find_nodes(wire& between, std::int64_t node_size);

}  // namespace shoal::internal::network
