/// How a job on a network substrate ends: with a report, by another PE's death, or together.
#pragma once

#include <atomic>
#include <string_view>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/ending_thread.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"
#include "shoal/substrate/internal/local/local_substrate.hpp"
#include "shoal/substrate/internal/network/guarded_wire.hpp"
#include "shoal/substrate/internal/network/leader_ring.hpp"
#include "shoal/substrate/internal/network/node_map.hpp"
#include "shoal/substrate/internal/network/peer_watch.hpp"

namespace shoal::internal::network {

class job_end {
public:
  /// All outlive this object; `ring` may be null.
  job_end(guarded_wire& wire, local::local_substrate& inside, const node_map& nodes, const local::job_page& job,
          leader_ring* ring);

  /// Ends the job on every PE. Prints `report` if it is the job's first. Never returns. By any thread of the PE: only the
  /// PE's own one may call the library, so others let that end the job if it calls Shoal within a second.
  [[noreturn]] void end(int status, std::string_view report) noexcept;

  /// Ends the job if another thread of this PE wants it, or if another PE has died and nobody else ends it. Usually returns
  /// at once.
  void look_for_dead() noexcept;

  /// Declares that this PE needs no other PE any more.
  void bid_farewell() noexcept;

  /// A barrier of all PEs outside the library, after the last round. Waits.
  void meet() noexcept;

  /// Fallback for `meet`: sleeps for longer than PEs usually differ in leaving a barrier.
  static void let_others_leave() noexcept;

private:
  bool is_one_node() const noexcept { return nodes_.n_nodes() == 1; }
  void outlive_reporter(wire& between) noexcept;
  void wait_for_own_thread(int status, std::string_view report) noexcept;

  guarded_wire& wire_;
  local::local_substrate& inside_;
  const node_map& nodes_;
  leader_ring* ring_;
  peer_watch watch_;
  const int own_thread_;

  // What another thread of this PE ends the job with.
  struct last_words {
    int status;
    std::string_view report;
  };
  std::atomic<const last_words*> wanted_{nullptr};
  ending_thread ending_;
};

}  // namespace shoal::internal::network
