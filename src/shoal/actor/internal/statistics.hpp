/// The statistics of SHOAL_STATS: what each mailbox and conveyor carried, and where the time of each PE went.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/stopwatch.hpp"
#include "shoal/conveyor/stream_counts.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {

class collectives;
class exchange;

/// The most that a PE has of something, and the lowest PE that has as much.
struct largest {
  std::uint64_t value = 0;
  pe_id pe = 0;
};

/// One hop of a mailbox or conveyor, over all PEs.
struct stream_statistics {
  /// Of PE 0, with sums over all PEs; peaks are those of the PE that held most.
  stream_record of;
  largest handled;
  largest handling_ns;
};

struct job_statistics {
  std::uint64_t world = 1;  // number of this world on its substrate
  std::string_view substrate;
  bool is_simulated = false;
  std::int64_t n_pes = 0;
  std::size_t payload_bytes = 0;  // of a buffer
  std::uint64_t budget_bytes = 0;  // what a PE may spend on buffers
  link_costs links = {};
  int n_hops = 1;  // final hop count of actors' messages
  int n_hop_changes = 0;
  std::uint64_t buffer_bytes_most = 0;  // peak of buffer bytes in use, on the PE that used most
  std::vector<activity_times> times;  // by PE
  std::vector<stream_statistics> streams;  // those that carried something
};

/// Largest over mean; 0 if nobody has any.
double imbalance(const largest& most, std::uint64_t sum, std::int64_t n_pes) noexcept;

/// Collects what all PEs have recorded into the members from buffer_bytes_most on; only PE 0 gets times. False, on all
/// PEs, if they have destroyed different streams. Collective; waits.
bool collect_statistics(collectives& calls, exchange& through, job_statistics& all);

}  // namespace shoal::internal
