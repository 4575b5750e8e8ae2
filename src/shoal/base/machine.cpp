#include "shoal/base/machine.hpp"

#include <unistd.h>

#include <algorithm>

#include "shoal/base/internal/cgroups.hpp"
#include "shoal/base/internal/cores.hpp"

namespace shoal {

using namespace internal;

machine this_machine() {
  const auto physical =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return {.memory_bytes = std::min(physical, cgroup_memory_limit()), .n_cores = allowed_cores()};
}

}  // namespace shoal
