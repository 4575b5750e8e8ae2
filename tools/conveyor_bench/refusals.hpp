/// What `shoal conveyor-bench` refuses, apart from values out of range. Each function throws setup_error.
#pragma once

#include "tools/conveyor_bench/options.hpp"

namespace CLI {
class App;
}

namespace shoal::cli {

/// Refuses words that are not options of the command; some of them belong to Conveyors' own benchmark.
void refuse_extras(const CLI::App& command);

/// Refuses options that do not go together. `options` says which positional options and flags are set.
void refuse_combinations(const bench_options& options, const CLI::App& command);

}  // namespace shoal::cli
