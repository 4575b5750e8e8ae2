/// The command `shoal conveyor-bench`.
#pragma once

#include <string>
#include <vector>

#include "tools/conveyor_bench/options.hpp"

namespace shoal::cli {

/// `arguments` are those of the command, which the PEs receive unchanged. Returns the exit status: 0, 1 if items were
/// wrong, 2 for an error that the user can fix.
int run_conveyor_bench(const bench_options& options, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
