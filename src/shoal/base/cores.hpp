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

/// The CPUs in this thread's affinity mask in the order in which PEs take them: one of each core before the second of
/// any, and of equals `first` and those behind it before those in front of it.
std::vector<int> cpus_for_pes(int first);

/// How many processes our launcher has started on this machine, as it says; 1 if it does not.
int launched_processes_here();

/// Binds this process to one CPU. If that has been taken away since we looked, it stays unbound.
void bind_to_cpu(int cpu);

}  // namespace shoal
