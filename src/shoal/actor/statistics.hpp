/// The table of SHOAL_STATS=1: what each mailbox and conveyor carried, summed over all PEs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/conveyor/stream_counts.hpp"

namespace shoal {

class collectives;
class exchange;

/// What the table says beside its rows.
struct statistics_summary {
  std::int64_t n_pes = 0;
  std::size_t payload_bytes = 0;
  std::uint64_t buffer_bytes_most = 0;  // most bytes of buffers in use at once, on the PE that used most
  std::uint64_t budget_bytes = 0;  // what a PE may spend on buffers
  int n_hops = 1;  // of actors' messages in the end
  int n_hop_changes = 0;
};

/// The table for people. `records` hold sums over all PEs, and of what a PE held at once the largest.
std::string format_statistics(const std::vector<stream_record>& records, const statistics_summary& all);

/// Adds up what `through` recorded on all PEs; PE 0 prints the table to stderr, unless nothing was sent. Completes `all`
/// with what only the PEs together know. Collective.
void print_statistics(collectives& calls, exchange& through, statistics_summary all);

}  // namespace shoal
