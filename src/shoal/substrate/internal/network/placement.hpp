/// Chooses a CPU for each PE of a machine, if the launcher has bound none.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace shoal::internal::network {

/// The CPUs from `allowed` that `n_pes` PEs of one machine take, by rank there. Module hwloc spreads them evenly over
/// packages, memories and caches, neighbours side by side. Without that module (looked for as open_wire does), they
/// take one hardware thread of every core before any second thread, in the kernel's order. Empty if there are fewer
/// CPUs than PEs. Local.
std::vector<int> place_pes(std::span<const int> allowed, int n_pes, const std::string& module_folder);

}  // namespace shoal::internal::network
