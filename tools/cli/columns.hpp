/// What the tables of several commands share.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::cli {

using row = std::vector<std::string>;

/// A number with so many digits behind the point; "-" for what is none (not finite).
std::string fixed(double value, int n_decimals);

/// First column to the left, the others to the right. The first row has all columns.
void print_aligned(std::ostream& out, const std::vector<row>& rows);

/// The state of the machine: how long a cache line takes from core to core, near or far.
std::string state_of(const std::optional<double>& handoff_ns, substrate_kind substrate);

}  // namespace shoal::cli
