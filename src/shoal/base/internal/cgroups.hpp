/// What the control groups of this process grant it. Each group of the hierarchy may have a limit, and the smallest
/// counts. `root`: the folder with /proc and the cgroups' mount points.
#pragma once

#include <cstddef>
#include <filesystem>

namespace shoal::internal {

/// CPU seconds per second that the process's cgroup and its ancestors (version 1 or 2) grant; infinite without a quota.
double cpu_quota(const std::filesystem::path& root = "/");

/// Bytes of memory that the process's cgroup and its ancestors (version 1 or 2) grant; SIZE_MAX without a limit.
std::size_t cgroup_memory_limit(const std::filesystem::path& root = "/");

}  // namespace shoal::internal
