/// Decides, superstep by superstep, how many hops the mailboxes of a PE take.
///
/// hop_choice knows what hops cost. This class knows when PEs may follow it: if the settings allow it and the pool has
/// slots for the hops. See docs/design/adaptation.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/hop_choice.hpp"

namespace shoal {
struct settings;
}

namespace shoal::internal {

class exchange;

class adaptive_hops {
public:
  /// `through` outlives this object.
  adaptive_hops(const exchange& through, const settings& chosen);

  /// As world::n_hops: the hop count of a mailbox that begins a superstep now.
  int n_hops() const noexcept { return has_slots() ? choice_.n_hops() : n_hops_least(); }

  /// Whether the traffic of supersteps decides. If not, it need not be counted.
  bool learns() const noexcept { return learns_; }

  /// The choice learns from traffic on routes of this many hops.
  int n_hops_learnt_from() const noexcept { return choice_.n_hops(); }

  int n_changes() const noexcept { return choice_.n_changes(); }

  /// Notes that a mailbox replaced its hops by `n_hops` new ones, on another route.
  void note_renewed_hops(std::size_t n_hops) noexcept { n_stream_hops_renewed_ += n_hops; }

  /// Notes what links between nodes cost by now. Before `decide`, and with the same figures on all PEs.
  void note_links(std::uint64_t overhead_ns, double gap_per_byte_ns) noexcept {
    choice_.follow(overhead_ns, gap_per_byte_ns);
  }

  /// Decides for the next supersteps. `last`: what the last superstep sent, over all PEs; `n_streams_most`: the number
  /// of mailboxes and conveyors on the PE that has most. All PEs pass the same arguments, so all decide the same.
  void decide(const superstep_traffic& last, std::size_t n_streams_most);

private:
  int n_hops_least() const noexcept;
  bool has_slots() const noexcept;

  const exchange& exchange_;
  hop_choice choice_;
  const double reroute_;  // for tests: probability of a random choice after a superstep; 0: the traffic decides
  random_engine reroutes_;  // the same numbers on every PE
  const bool learns_;
  // Values on which all PEs agree, since each PE may destroy conveyors at its own time.
  std::size_t n_stream_hops_most_ = 0;  // hops of streams per PE at the last decision, had every stream used n_hops_max
  std::uint64_t n_constructed_ = 0;  // hops of streams ever constructed, at the last decision
  std::size_t n_stream_hops_renewed_ = 0;  // hops constructed since then that replaced others
};

}  // namespace shoal::internal
