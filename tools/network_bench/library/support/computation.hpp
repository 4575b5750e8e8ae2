/// Work of a chosen length that calls nothing.
#pragma once

#include <cstdint>

namespace network_bench {

/// One chain of dependent multiplications, so that other cores and memory do not matter.
void compute(std::int64_t n_steps);

/// How many steps take a nanosecond here, from a short trial without interruption.
double measured_steps_per_ns();

}  // namespace network_bench
