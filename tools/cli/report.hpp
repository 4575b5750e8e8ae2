/// Prints a measurement for people and for programs.
#pragma once

#include <iosfwd>

#include "tools/cli/command_line.hpp"
#include "tools/cli/measure.hpp"

namespace shoal::cli {

/// The table, with what a reader needs to interpret it.
void print_table(std::ostream& out, const run_request& request, const measurement& m);

/// One JSON object per variant, each on its own line.
void print_json(std::ostream& out, const run_request& request, const measurement& m);

}  // namespace shoal::cli
