/// How many cores this process may use, which in a container is not the number that the machine has.
#pragma once

#include <filesystem>
#include <vector>

namespace shoal {

/// The CPUs in this thread's affinity mask, ascending.
std::vector<int> affinity_cpus();

/// The CPU time per time that the process's cgroup and its ancestors (version 1 or 2) allow it; infinite
/// where there is no quota. `root` is where /proc and the cgroups' mount points are looked for.
double cpu_quota(const std::filesystem::path& root = "/");

/// Cores that may work at once: the affinity mask, cut to the whole cores in the quota, at least one.
/// Half a core counts for nothing, because a PE that is throttled makes all the others wait.
int allowed_cores();

}  // namespace shoal
