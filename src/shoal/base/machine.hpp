/// What this machine lets the process use.
#pragma once

#include <cstddef>

namespace shoal {

struct machine {
  std::size_t memory_bytes = 0;  // physical memory, cut to the smallest limit of the cgroups
  int n_cores = 1;  // affinity mask, cut to the smallest quota of the cgroups
};

/// Asks the system. Local.
machine this_machine();

}  // namespace shoal
