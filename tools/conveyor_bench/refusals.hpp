/// What `shoal conveyor-bench` refuses, apart from values out of range. Each function throws setup_error.
#pragma once

#include "tools/conveyor_bench/options.hpp"

namespace CLI {
class App;
}

namespace shoal::cli {

/// Words that are no options of the command, some of which Conveyors' own benchmark knows.
void refuse_extras(const CLI::App& command);

/// Options that do not go together. Of `options`, positional ones and flags are set.
void refuse_combinations(const bench_options& options, const CLI::App& command);

}  // namespace shoal::cli
