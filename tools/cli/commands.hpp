/// What `shoal` can do. Each returns the exit status: 0, 1 if an answer was wrong, 2 if the user can mend it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tools/cli/command_line.hpp"

namespace shoal::cli {

int list_kernels();

int print_info(const info_request& request);

/// The substrate and all settings of a job, a line for each, with where it comes from.
void print_settings(std::ostream& out, const settings& chosen);

/// `arguments` are those of the command, for the PEs, which are told the same.
int run_kernel(run_request request, std::vector<std::string> arguments);

}  // namespace shoal::cli
