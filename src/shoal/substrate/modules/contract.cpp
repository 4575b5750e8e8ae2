// What a broken contract does inside a module. Modules need nothing of libshoal, so they know neither the PE nor the job;
// whoever started the PEs ends the job when one of them aborts.
#include "shoal/base/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace shoal::detail {

void contract_broken(const char* kind, const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "shoal: broken %s in a module: %s (%s:%d)\n", kind, expression, file, line);
  std::abort();
}

}  // namespace shoal::detail
