/// What the tables of several commands share.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::cli {

using row = std::vector<std::string>;

/// A number with this many digits after the point; "-" if it is not finite.
std::string fixed(double value, int n_decimals);

/// Aligns the first column left, the others right. The first row has all columns.
void print_aligned(std::ostream& out, const std::vector<row>& rows);

/// The state of the machine: how long a cache line takes from core to core, near or far.
std::string state_of(const std::optional<double>& handoff_ns, substrate_kind substrate);

}  // namespace shoal::cli
