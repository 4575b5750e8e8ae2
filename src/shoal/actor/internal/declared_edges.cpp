#include "shoal/actor/internal/declared_edges.hpp"

#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal {

void declared_edges::declare(superstep_part& fed, std::span<superstep_part* const> feeders) {
  if (fed.is_fixed()) {
    end_job(status_usage, fed.describe_owner() +
                              ": fed_by too late, when mailboxes of its finish may close already; call it before done, "
                              "closed and the end of finish");
  }
  if (!fed.is_declared()) declared_.push_back(&fed);
  fed.declare(feeders);
}

void declared_edges::forget(const superstep_part& gone) noexcept {
  std::erase(declared_, &gone);
  for (superstep_part* m : declared_) m->forget_feeder(gone);
}

void declared_edges::let_send(const superstep_part* sender, bool is_main) const noexcept {
  for (superstep_part* m : declared_) {
    const bool is_fed = sender != nullptr && m->is_in_scope() && m->is_fed_by(*sender);
    m->let_send(is_fed || (is_main && m->current_state() == superstep_part::state::open));
  }
}

}  // namespace shoal::internal
