#include "shoal/actor/when.hpp"

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"

namespace shoal::internal {

void refuse_first_of_none(const std::source_location& where) noexcept {
  end_job(status_usage, "when_any (" + source_place(where) + ") of no future, so there is no first answer");
}

}  // namespace shoal::internal
