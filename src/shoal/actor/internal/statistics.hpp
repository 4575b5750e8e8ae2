/// The table of SHOAL_STATS=1: what each mailbox and conveyor carried, summed over all PEs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/conveyor/stream_counts.hpp"

namespace shoal::internal {

class collectives;
class exchange;

/// What the table says besides its rows.
struct statistics_summary {
  std::int64_t n_pes = 0;
  std::size_t payload_bytes = 0;
  std::uint64_t buffer_bytes_most = 0;  // peak of buffer bytes in use, on the PE that used most
  std::uint64_t budget_bytes = 0;  // what a PE may spend on buffers
  int n_hops = 1;  // final hop count of actors' messages
  int n_hop_changes = 0;
};

/// The table as text. `records` hold sums over all PEs; peaks are those of the PE that held most.
std::string format_statistics(const std::vector<stream_record>& records, const statistics_summary& all);

/// Sums over all PEs what `through` recorded; PE 0 prints the table to stderr, with its own names, unless nothing was
/// sent. Fills in the members of `all` that need all PEs. Collective.
void print_statistics(collectives& calls, exchange& through, statistics_summary all);

}  // namespace shoal::internal
