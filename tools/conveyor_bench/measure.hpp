/// Runs a workload: warm-ups, which verify, then timed runs.
#pragma once

#include "shoal/actor/world.hpp"
#include "tools/conveyor_bench/options.hpp"
#include "tools/conveyor_bench/result.hpp"

namespace shoal::cli {

/// Collective. Only PE 0's result is complete, but `fault` is empty everywhere or nowhere. Throws setup_error.
bench_result measure_conveyor(world& w, const bench_options& options);

}  // namespace shoal::cli
