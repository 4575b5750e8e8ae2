/// How many cores this process may use. In a container that differs from what the machine has.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace shoal::internal {

/// The CPUs in this thread's affinity mask, ascending.
std::vector<int> affinity_cpus();

/// Cores that may work at once: the affinity mask, cut to the whole cores in the quota, at least one.
/// Half a core does not count, because a throttled PE makes all others wait.
int allowed_cores();

/// The CPUs in this thread's affinity mask in the order in which PEs take them: one hardware thread of every core
/// before any second thread; ties start at `first` and wrap around.
std::vector<int> cpus_for_pes(int first);

/// Binds this thread, and those that it starts later, to some CPUs. It stays unbound if none of them is in its affinity mask.
void bind_to_cpus(std::span<const int> cpus);

/// Those of PE `pe`, of which each has `n_workers` in turn.
std::span<const int> cpus_of_pe(std::span<const int> cpus, std::size_t pe, std::size_t n_workers);

}  // namespace shoal::internal
