/// Whether a job has room for the requested conveyors.
#pragma once

#include "shoal/actor/world.hpp"
#include "tools/conveyor_bench/options.hpp"

namespace shoal::cli {

/// Collective. Throws setup_error on every PE or on none: PE 0 decides for all.
void check_fit(world& w, const bench_options& options);

}  // namespace shoal::cli
