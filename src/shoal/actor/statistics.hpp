/// The table of SHOAL_STATS=1: what each mailbox and conveyor carried, summed over all PEs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/conveyor/port.hpp"

namespace shoal {

/// The table for people. `records` hold sums over `n_pes` PEs.
std::string format_statistics(const std::vector<port_record>& records, std::int64_t n_pes,
                              std::size_t payload_bytes);

}  // namespace shoal
