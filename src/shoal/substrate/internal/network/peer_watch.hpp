/// Detects that another PE has died inside shoal::run. Some launchers leave the others waiting then.
///
/// Checks the PEs of this node in turn, by the locks that they hold (life_lock.hpp), and the leader of the next node
/// (leader_ring.hpp).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"
#include "shoal/substrate/internal/network/leader_ring.hpp"
#include "shoal/substrate/internal/network/node_map.hpp"

namespace shoal::internal::network {

class peer_watch {
public:
  /// All outlive this object; `ring` may be null. All PEs of the node must be alive and hold their locks. Local.
  peer_watch(const node_map& nodes, const local::job_page& job, leader_ring* ring);

  /// A PE that has died, or -1. Checks one PE of the node per call, if the last check was long enough ago. Local,
  /// nonblocking.
  pe_id look(std::uint64_t now_ns) noexcept;

  /// Whether that PE still appears to be dead: a live one that lost its lock takes it back at its own next look. Local,
  /// nonblocking.
  bool is_dead(pe_id found) noexcept;

private:
  bool has_lost_lock(std::size_t position) const noexcept;
  bool is_same_memory() const noexcept;

  const node_map& nodes_;
  const local::job_page& job_;
  leader_ring* ring_;
  dev_t device_ = 0;  // of the memory at construction
  ino_t file_ = 0;
  bool is_watching_node_ = false;
  std::size_t last_;  // position on this node of the PE checked last; initially this PE's own
  std::uint64_t next_look_ns_ = 0;
};

}  // namespace shoal::internal::network
