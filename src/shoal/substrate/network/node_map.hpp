/// Which ranks share this PE's memory, and the memory that they share.
///
/// Two ranks are on one node if they run on one kernel under one hostname and one of them could hand a descriptor to
/// the other. It goes over a socket in the abstract namespace (SCM_RIGHTS), which leaves no file behind and ends at the
/// border of a network namespace, as containers do. If the hand-over fails, the library carries their buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/base/descriptor.hpp"
#include "shoal/substrate/network/wire.hpp"

namespace shoal::network {

struct node_map {
  std::vector<std::uint32_t> node_of;  // by rank; nodes are numbered in the order of their first ranks
  std::vector<int> local_of;  // by rank: its position on its node
  std::vector<std::vector<int>> members;  // by node, ascending; the first is the node's leader
  std::uint32_t my_node = 0;
  int my_local = 0;  // position of this rank in its node

  int machine_size = 1;  // ranks on this machine, whatever nodes SHOAL_NODE_SIZE pretends to
  int machine_rank = 0;
  int machine_cores = 1;  // that they may use together
  bool is_bound = true;  // the launcher gave the ranks of this machine cores of their own

  descriptor memory;  // the memfd of this node, one job page long
  bool has_life_locks = false;  // every rank of the job holds its own, at its number, in its node's memory

  int n_nodes() const noexcept { return static_cast<int>(members.size()); }
  const std::vector<int>& my_members() const noexcept { return members[my_node]; }
  bool is_leader() const noexcept { return my_local == 0; }
  bool is_here(int rank) const noexcept { return node_of[static_cast<std::size_t>(rank)] == my_node; }
};

/// Finds out, with the wire's all_gather. `node_size` > 0 pretends that a node holds no more ranks than that.
/// Collective, waits. Throws setup_error on this rank alone if it can have no memory to share.
node_map find_nodes(wire& between, std::int64_t node_size);

}  // namespace shoal::network
