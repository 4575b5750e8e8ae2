/// The commands of `shoal`. Each returns the exit status: 0, 1 if an answer was wrong, 2 for an error that the user can
/// fix.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tools/cli/command_line.hpp"

namespace shoal::cli {

int list_kernels(const list_request& request);

int print_info(const info_request& request);

/// Prints the substrate and all settings of a job, one per line, each with its origin.
void print_settings(std::ostream& out, const settings& chosen);

/// `arguments` are those of the command, which the PEs receive unchanged.
int run_kernel(run_request request, std::vector<std::string> arguments);

/// Becomes the Python program of `verb` (`bench`, `network-bench` or `study`), with `words` as its arguments; so it returns no
/// status. Throws setup_error if there is no Python, or if the program is not installed.
[[noreturn]] void run_bench(const std::string& verb, const std::vector<std::string>& words);

}  // namespace shoal::cli
