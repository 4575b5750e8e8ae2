/// How fast one core gets a cache line from another: the state of the machine that measurements depend on.
#pragma once

#include <optional>

namespace shoal {

/// Nanoseconds, one way, from CPU `a` to CPU `b` or back: two pinned threads hand a line to and fro, and
/// the fastest of ten windows of 10,000 round trips counts. Nothing if the threads cannot be pinned
/// there. Takes some ten milliseconds on idle CPUs. Local; the calling thread ends on the CPUs it had.
std::optional<double> measure_handoff_ns(int a, int b);

/// Below this the machine is in its near state, otherwise far.
inline constexpr double handoff_near_ns_max = 60;

}  // namespace shoal
