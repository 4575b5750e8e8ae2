/// The descendants of this process, from /proc.
#pragma once

#include <sys/types.h>

#include <vector>

namespace shoal::internal::launcher {

/// Every living descendant of this process, except zombies. A snapshot: it may miss a process that is forked meanwhile,
/// so a caller that ends them all repeats until there are none. Empty if /proc is not mounted.
std::vector<pid_t> living_descendants();

}  // namespace shoal::internal::launcher
