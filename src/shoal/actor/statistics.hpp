/// The table of SHOAL_STATS=1: what each mailbox and conveyor carried, summed over all PEs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/conveyor/stream_counts.hpp"

namespace shoal {

/// What the table says beside its rows.
struct statistics_summary {
  std::int64_t n_pes = 0;
  std::size_t payload_bytes = 0;
  std::uint64_t buffer_bytes_most = 0;  // that the buffers of a PE had in use at once, on the PE with the most
  std::uint64_t budget_bytes = 0;  // for them
  int n_hops = 1;  // that messages of actors took in the end
  int n_hop_changes = 0;
};

/// The table for people. `records` hold sums over all PEs, and of what a PE held at once the largest.
std::string format_statistics(const std::vector<stream_record>& records, const statistics_summary& all);

}  // namespace shoal
