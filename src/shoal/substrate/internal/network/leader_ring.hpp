/// TCP connections from the leader of each node to the leader of the next one, in a ring. They carry what cannot go
/// through the library: leaders learn that another one has died, and meet while no PE is in the library.
///
/// The ring is optional: if one connection fails, it is not used at all. Only one thing proves a death: the other side
/// has named itself by a number that the library brought, and its system has closed the connection without a farewell.
/// A connection that breaks in any other way ends the watch.
#pragma once

#include <chrono>

#include "shoal/base/internal/descriptor.hpp"
#include "shoal/substrate/internal/network/node_map.hpp"
#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::internal::network {

class leader_ring {
public:
  /// Collective; waits, for at most two seconds if a connection fails. `is_watch`: look will be used.
  leader_ring(wire& between, const node_map& nodes, bool is_watch);

  /// Whether every leader is connected to the next. The same on all ranks.
  bool is_whole() const noexcept { return is_whole_; }

  /// The rank of the next leader after it has died, else -1. Needs `is_watch`. Local, nonblocking.
  int look() noexcept;

  /// Says that this process may end now. After the job's last round. Local, nonblocking.
  void bid_farewell() noexcept;

  /// A barrier of the leaders, on a ring that is whole. Waits, for at most ten seconds if one does not come.
  void meet() noexcept;

private:
  bool say(char word) noexcept;
  bool hear(char word, std::chrono::steady_clock::time_point end) noexcept;

  int next_ = -1;  // rank of the next node's leader; -1: not a leader
  bool is_first_ = false;  // the ring begins here
  bool is_whole_ = false;
  bool is_watching_ = false;
  descriptor to_next_;
  descriptor from_previous_;
};

}  // namespace shoal::internal::network
