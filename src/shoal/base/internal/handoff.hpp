/// How fast one core gets a cache line from another. Measurements depend on this state of the hardware.
#pragma once

#include <optional>

namespace shoal::internal {

/// Nanoseconds, one way, between CPUs `a` and `b`: two pinned threads pass a line back and forth, and the fastest of
/// ten windows of 10,000 round trips counts. Empty if the threads cannot be pinned. Takes some ten milliseconds on idle
/// CPUs. Local; afterwards the calling thread has its old affinity.
std::optional<double> measure_handoff_ns(int a, int b);

/// Below this value the machine is in its near state, otherwise in its far state.
inline constexpr double handoff_near_ns_max = 60;

}  // namespace shoal::internal
