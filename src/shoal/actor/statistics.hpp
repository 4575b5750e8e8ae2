/// The table of SHOAL_STATS=1: what each mailbox carried, summed over all PEs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/conveyor/port.hpp"

namespace shoal {

/// What one mailbox of this PE carried in its life. All PEs construct the same mailboxes in the same order, so
/// equal positions are the same mailbox.
struct mailbox_record {
  std::string name;
  std::uint32_t serial = 0;
  port_counts counts;
};

/// The table for people. `records` hold sums over `n_pes` PEs.
std::string format_statistics(const std::vector<mailbox_record>& records, std::int64_t n_pes,
                              std::size_t payload_bytes);

}  // namespace shoal
