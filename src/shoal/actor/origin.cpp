#include "shoal/actor/origin.hpp"

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal {

void refuse_origin_of_another_pe() noexcept {
  end_job(status_usage,
          "a shoal::origin was used on another PE than the one that made it; only carry it here, and send it back");
}

}  // namespace shoal::internal
