/// What the tables of several commands share.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::cli {

using row = std::vector<std::string>;

/// A number with this many digits after the point; "-" if it is not finite.
std::string fixed(double value, int n_decimals);

/// Aligns the first column left, the others right. The first row has all columns.
void print_aligned(std::ostream& out, const std::vector<row>& rows);

/// "near" or "far": the state of the machine in which a cache line takes that long from core to core.
std::string_view name_of_state(double handoff_ns);

/// The state of the machine for people: how long a cache line takes from core to core, near or far.
std::string state_of(const std::optional<double>& handoff_ns, substrate_kind substrate);

}  // namespace shoal::cli
