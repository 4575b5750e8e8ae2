/// The processes that descend from this one, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <vector>

namespace shoal::launcher {

/// Every living descendant of this process, without zombies. A snapshot: a process that forks meanwhile may be missing,
/// so a caller that ends them all asks again until there are none. Empty if /proc is not mounted.
std::vector<pid_t> living_descendants();

}  // namespace shoal::launcher
