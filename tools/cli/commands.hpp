/// The commands of `shoal`. Each returns the exit status: 0, 1 if an answer was wrong, 2 for an error that the user can
/// fix.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tools/cli/command_line.hpp"

namespace shoal::cli {

int list_kernels();

int print_info(const info_request& request);

/// Prints the substrate and all settings of a job, one per line, each with its origin.
void print_settings(std::ostream& out, const settings& chosen);

/// `arguments` are those of the command, which the PEs receive unchanged.
int run_kernel(run_request request, std::vector<std::string> arguments);

}  // namespace shoal::cli
