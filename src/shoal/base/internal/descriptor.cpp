#include "shoal/base/internal/descriptor.hpp"

#include <sys/resource.h>

#include <cerrno>

namespace shoal::internal {

std::string descriptor_advice(int error) {
  rlimit limit = {};
  if (error != EMFILE || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  return "; raise ulimit -n, which allows " + std::to_string(limit.rlim_cur);
}

}  // namespace shoal::internal
