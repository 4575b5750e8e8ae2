#include "shoal/base/internal/contract.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal {

void contract_broken(const char* kind, const char* expression, const char* file, int line) noexcept {
  end_job(status_failure,
          std::string("broken ") + kind + ": " + expression + " (" + file + ":" + std::to_string(line) + ")");
}

}  // namespace shoal::internal
