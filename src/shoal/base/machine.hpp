/// What this machine lets the process use.
#pragma once

#include <cstddef>

namespace shoal {

struct machine {
  std::size_t memory_bytes = 0;  // physical memory, cut to the cgroup's limit
  int n_cores = 1;  // affinity mask, cut to the cgroup's quota
};

/// Asks the system. Local.
machine this_machine();

}  // namespace shoal
