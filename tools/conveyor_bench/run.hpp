/// The command `shoal conveyor-bench`.
#pragma once

#include <string>
#include <vector>

#include "tools/conveyor_bench/options.hpp"

namespace shoal::cli {

/// `arguments` are those of the command, for the PEs, which are told the same. Returns the exit status: 0, 1 if items
/// were not as they must be, 2 if the user can mend it.
int run_conveyor_bench(const bench_options& options, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
