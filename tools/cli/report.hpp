/// A measurement for people and for programs.
#pragma once

#include <iosfwd>

#include "tools/cli/command_line.hpp"
#include "tools/cli/measure.hpp"

namespace shoal::cli {

/// The table and what must be known to read it.
void print_table(std::ostream& out, const run_request& request, const measurement& m);

/// One JSON object a variant, each on a line of its own.
void print_json(std::ostream& out, const run_request& request, const measurement& m);

}  // namespace shoal::cli
