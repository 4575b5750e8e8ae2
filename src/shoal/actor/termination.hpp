/// The end of a superstep: finds out when no message is under way any more, by counting waves.
///
/// The four-counter method (Mattern, "Algorithms for distributed termination detection", 1987). A wave adds up what each
/// PE sent and handled, each at a moment when it had nothing left to do. docs/design/termination.md has the proof.
#pragma once

#include <cstdint>
#include <source_location>

#include "shoal/actor/collectives.hpp"
#include "shoal/conveyor/hop_choice.hpp"

namespace shoal {

class adaptive_hops;
class exchange;

/// What a PE adds to a wave. Over several hops a message counts once for each, so that one in a relay is under way.
struct wave_share {
  std::uint64_t n_sent = 0;
  std::uint64_t n_handled = 0;
  superstep_traffic traffic;  // on routes of adaptive_hops::n_hops_learnt_from; nothing unless hops are learnt

  friend wave_share operator+(const wave_share& a, const wave_share& b) {
    return {a.n_sent + b.n_sent, a.n_handled + b.n_handled, a.traffic + b.traffic};
  }
};

/// The messages of this PE whose end is waited for.
class awaited_messages {
public:
  /// Whether none lies here unhandled, spilled or in an open buffer.
  virtual bool are_gone() const noexcept = 0;

  /// Posts those in partly filled buffers.
  virtual void flush() noexcept = 0;

  /// What this PE sent and handled since the superstep began.
  virtual wave_share share() const noexcept = 0;

protected:
  ~awaited_messages() = default;
};

class termination {
public:
  /// All outlive this object.
  termination(exchange& through, collectives& waves, adaptive_hops& hops) noexcept
      : exchange_(through), collectives_(waves), hops_(hops) {}
  termination(const termination&) = delete;
  termination& operator=(const termination&) = delete;

  /// Waits until all of `messages` are handled everywhere, and handles messages meanwhile; then decides on hops. The
  /// waves are rounds of `call`, and `digest` tells apart which messages PEs wait for. Collective. The main programs send
  /// none of these messages any more.
  void await(awaited_messages& messages, collective_call call, std::uint64_t digest, const std::source_location& where);

private:
  void arrive(const wave_share& mine, collective_call call, std::uint64_t digest, const std::source_location& where);

  exchange& exchange_;
  collectives& collectives_;
  adaptive_hops& hops_;
};

}  // namespace shoal
