// Reports a broken contract inside a module. Modules use nothing of libshoal, so they know neither the PE nor the job;
// when one aborts, whoever started the PEs ends the job.
#include "shoal/base/internal/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace shoal::internal {

void contract_broken(const char* kind, const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "shoal: broken %s in a module: %s (%s:%d)\n", kind, expression, file, line);
  std::abort();
}

}  // namespace shoal::internal
