#include "shoal/actor/when.hpp"

#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"

namespace shoal::internal {

void await_no_more(pending_answer& a) noexcept {
  const continuation& its = *std::exchange(a.waiting, nullptr);
  if (its.whose != nullptr) its.whose->work().note_done();
  answers::forgo(a);
}

void refuse_first_of_none(const std::source_location& where) noexcept {
  end_job(status_usage, "when_any (" + source_place(where) + ") of no future, so there is no first answer");
}

}  // namespace shoal::internal
