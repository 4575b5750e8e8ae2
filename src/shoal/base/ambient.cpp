#include "shoal/base/ambient.hpp"

#include <cstdio>
#include <cstdlib>

namespace shoal {

constinit thread_local pe_context* current_pe = nullptr;

void end_job(int status, std::string_view report) noexcept {
  if (current_pe != nullptr) current_pe->end_job(status, report);
  std::fprintf(stderr, "shoal: %.*s\n", static_cast<int>(report.size()), report.data());
  std::_Exit(status);
}

}  // namespace shoal
