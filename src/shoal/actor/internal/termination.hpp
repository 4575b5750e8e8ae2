/// The end of a superstep: counting waves find out when no message is in transit any more.
///
/// A wave sums what each PE sent and handled, each PE at a moment when it has nothing left to do. Messages carry the number
/// of waves that their sender had joined, so that a wave counts none that was sent after it had passed there: a consistent cut
/// (Lai and Yang, "On distributed snapshots", 1987; Mattern, "Algorithms for distributed termination detection", 1987).
/// docs/design/termination.md has the proof.
#pragma once

#include <cstdint>
#include <source_location>

#include "shoal/actor/internal/collectives.hpp"
#include "shoal/actor/internal/quiet_time.hpp"
#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/conveyor/internal/superstep_traffic.hpp"

namespace shoal::internal {

class adaptive_hops;
class exchange;

/// What a PE adds to a wave. A message in a relay counts as in transit.
struct wave_share {
  message_counts counts;
  superstep_traffic traffic;  // on routes of adaptive_hops::n_hops_learnt_from; empty unless hops are learnt

  friend wave_share operator+(const wave_share& a, const wave_share& b) {
    return {a.counts + b.counts, a.traffic + b.traffic};
  }
};

/// The messages of this PE for whose end it waits.
class awaited_messages {
public:
  /// Whether none is unhandled, spilled or in an open buffer here.
  virtual bool are_gone() const noexcept = 0;

  /// Posts their partly filled buffers.
  virtual void flush() noexcept = 0;

  /// What this PE has sent and handled since the superstep began, for a wave. What it sends from now on counts for the next one.
  virtual wave_share join_wave() noexcept = 0;

protected:
  ~awaited_messages() = default;
};

/// What other mailboxes keep from being idle posts its buffers, and serves its waves, once per this many turns.
inline constexpr unsigned busy_turns = 64;

class termination {
public:
  /// All outlive this object.
  termination(exchange& through, collectives& waves, adaptive_hops& hops) noexcept;
  termination(const termination&) = delete;
  termination& operator=(const termination&) = delete;

  /// Waits until all of `messages` are handled everywhere, and handles messages meanwhile; then decides on hops. The
  /// waves are rounds of `call`. `digest` identifies the messages, to detect PEs that wait for different ones.
  /// Collective. Main programs must send none of these messages any more.
  void await(awaited_messages& messages, collective_call call, std::uint64_t digest, const std::source_location& where);

private:
  bool carries_all() const noexcept;
  std::uint64_t now_ns() const noexcept;
  void arrive(const wave_share& mine, bool is_first, collective_call call, std::uint64_t digest,
              const std::source_location& where);

  exchange& exchange_;
  collectives& collectives_;
  adaptive_hops& hops_;
  quiet_time quiet_;
};

}  // namespace shoal::internal
