/// Proves that nothing can move any more in a simulated job, and then ends it with a report.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/substrate/internal/sim/job_parts.hpp"
#include "shoal/substrate/internal/sim/simulated_pe.hpp"
#include "shoal/substrate/internal/sim/stall_report.hpp"

namespace shoal::internal::sim {

/// A PE may store to another PE's heap directly, which the simulator does not see. So before a verdict all sleeping PEs
/// get to look again (`wait` may return early), many times. If that changes nothing, the stall is proven.
class stall_proof {
public:
  /// Both outlive this object; the PEs may be added later.
  stall_proof(job_parts& job, const simulated_pes& pes) noexcept : job_(job), pes_(pes) {}

  /// Called when every PE is blocked in `wait` or has returned and no event is pending: nothing that the simulator
  /// knows of can ever happen. Wakes PEs, or does not return.
  void nothing_can_move() noexcept;

  /// Called when the running PE `spinning` has called fruitless_calls::n_per_look times without effect. Returns if that
  /// may change.
  void suspect_endless_loop(pe_id spinning) noexcept;

private:
  static constexpr unsigned n_looks_before_endless = 3;  // so the report comes after 1,000,000 calls
  static constexpr unsigned n_looks_before_stall = 100;

  bool let_all_look_again(unsigned n_looks_max);
  std::vector<pe_account> accounts(const simulated_pe* spinning) const;

  job_parts& job_;
  const simulated_pes& pes_;
  std::uint64_t n_changes_at_look_ = 0;
  unsigned n_looks_ = 0;  // since the world last changed
};

}  // namespace shoal::internal::sim
