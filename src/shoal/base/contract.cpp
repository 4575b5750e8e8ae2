#include "shoal/base/contract.hpp"

#include <string>

#include "shoal/base/ambient.hpp"

namespace shoal::detail {

void contract_broken(const char* kind, const char* expression, const char* file, int line) noexcept {
  end_job(status_failure,
          std::string("broken ") + kind + ": " + expression + " (" + file + ":" + std::to_string(line) + ")");
}

}  // namespace shoal::detail
