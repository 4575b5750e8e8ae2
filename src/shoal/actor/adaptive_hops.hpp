/// How many hops the mailboxes of a PE take, superstep after superstep.
///
/// hop_choice knows what hops cost. This class knows when PEs may follow it: when the settings allow it, and when the
/// pool has slots for the hops. docs/design/adaptation.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/hop_choice.hpp"

namespace shoal {

class exchange;
struct settings;

class adaptive_hops {
public:
  /// `through` outlives this object.
  adaptive_hops(const exchange& through, const settings& chosen);

  /// world::n_hops: what a mailbox takes that begins a superstep now.
  int n_hops() const noexcept { return has_slots() ? choice_.n_hops() : n_hops_least(); }

  /// Whether the traffic of supersteps decides. If not, nobody need count it.
  bool learns() const noexcept { return learns_; }

  /// Traffic on routes of this many hops is what the choice learns from.
  int n_hops_learnt_from() const noexcept { return choice_.n_hops(); }

  int n_changes() const noexcept { return choice_.n_changes(); }

  /// Notes that a mailbox replaced its hops by `n_hops` on another route.
  void note_renewed_hops(std::size_t n_hops) noexcept { n_stream_hops_renewed_ += n_hops; }

  /// Decides for the supersteps to come after one that sent `last`, over all PEs. `n_streams_most` is what the PE with
  /// the most mailboxes and conveyors has. All PEs call it with the same arguments, and so decide the same.
  void decide(const superstep_traffic& last, std::size_t n_streams_most);

private:
  int n_hops_least() const noexcept;
  bool has_slots() const noexcept;

  const exchange& exchange_;
  hop_choice choice_;
  const double reroute_;  // probability of a random choice after a superstep, for tests; 0: the traffic decides
  random_engine reroutes_;  // the same numbers on every PE
  const bool learns_;
  // What PEs agree on, since each may destroy conveyors at its own time.
  std::size_t n_stream_hops_most_ = 0;  // hops of streams per PE at the last decision, had every stream used n_hops_max
  std::uint32_t n_constructed_ = 0;  // hops of streams ever constructed, at the last decision
  std::size_t n_stream_hops_renewed_ = 0;  // of those constructed since then, the ones that replaced others
};

}  // namespace shoal
