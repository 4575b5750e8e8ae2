/// A TCP connection from the leader of each node to the leader of the next, in a ring, by which it learns that the
/// other has died. For launchers that leave the others waiting then (srun without PMIx); within a node, life_lock.hpp.
///
/// Nothing rests on it. Where no connection comes about, nobody is watched, and only one thing proves a death: the other
/// side has named itself by a number that MPI brought, and its system has closed the connection without a farewell.
/// A connection that breaks in any other way ends the watch.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/substrate/local/descriptor.hpp"
#include "shoal/substrate/network/node_map.hpp"
#include "shoal/substrate/network/wire.hpp"

namespace shoal::network {

class lifeline {
public:
  /// Collective; waits, and where a connection does not come about, for two seconds at most.
  lifeline(wire& between, const node_map& nodes);

  /// The rank at the other end once it has died, or -1. Local, nonblocking.
  int look() noexcept;

  /// Says that this process may end now. After the last collective. Local, nonblocking.
  void bid_farewell() noexcept;

private:
  int next_ = -1;  // rank of the next node's leader
  local::descriptor to_next_;  // open while it is watched
  std::vector<local::descriptor> callers_;  // connections of the leader that watches us
};

}  // namespace shoal::network
