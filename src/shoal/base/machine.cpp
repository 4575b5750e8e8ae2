#include "shoal/base/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "shoal/base/internal/cores.hpp"

namespace shoal {

using namespace internal;

namespace {

// The cgroup's limit in bytes; a huge number if there is none or it cannot be read.
std::size_t cgroup_memory_limit() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::size_t bytes = 0;
    if (file >> bytes && bytes != 0) return bytes;
  }
  return SIZE_MAX;
}

}  // namespace

machine this_machine() {
  const auto physical =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return {.memory_bytes = std::min(physical, cgroup_memory_limit()), .n_cores = allowed_cores()};
}

}  // namespace shoal
