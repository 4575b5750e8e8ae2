#include "shoal/actor/internal/superstep_part.hpp"

#include <memory>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/actor/internal/feeders.hpp"
#include "shoal/actor/internal/termination.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/inbox.hpp"

namespace shoal::internal {

superstep_part::superstep_part(supersteps& steps, stream& messages) noexcept : steps_(steps), messages_(messages) {}

superstep_part::~superstep_part() { SHOAL_ASSERT(!is_in_scope_); }

void superstep_part::begin_superstep(std::size_t depth, const adaptive_hops& hops) {
  SHOAL_ASSERT(!is_in_scope_);
  choose_route(!has_begun_);
  depth_ = depth;
  state_ = state::open;
  is_closed_ = is_end_awaited_ = false;
  messages_.let_send(true);
  items_before_ = messages_.items_of_hops();
  work_ = {};
  if (hops.learns()) traffic_before_ = messages_.traffic();
  is_in_scope_ = has_begun_ = true;
  messages_.begin_session(messages_.links().only_kind);
}

void superstep_part::promise_no_more() noexcept {
  state_ = state::done;
  messages_.let_send(false);
}

void superstep_part::await_end() noexcept {
  is_end_awaited_ = true;
  // What feeds a declared mailbox is let when it runs.
  messages_.let_send(!is_declared_);
}

void superstep_part::end_superstep() noexcept {
  forget_graph();
  if (is_in_scope_) stop();  // otherwise it has closed by itself
}

void superstep_part::stop() noexcept {
  state_ = state::dormant;
  messages_.let_send(false);
  is_in_scope_ = false;
  messages_.end_session();
}

void superstep_part::require_enabled() const {
  const inbox& arrivals = messages_.arrivals();
  if (arrivals.is_enabled()) [[likely]]
    return;
  end_job(status_usage, describe_owner() + ": still disabled (" + source_place(arrivals.disabled_at()) +
                            ") when its superstep ends; enable it before, on every PE that disables it");
}

void superstep_part::close_superstep() noexcept {
  require_enabled();
  stop();
  is_closed_ = true;
}

void superstep_part::leave() noexcept {
  record();
  is_in_scope_ = false;
}

std::string superstep_part::describe_owner() const { return messages_.arrivals().describe(); }

std::span<superstep_part* const> superstep_part::feeders() const noexcept {
  if (feeders_ == nullptr) return {};
  return feeders_->all();
}

bool superstep_part::is_fed_by(const superstep_part& sender) const noexcept {
  return feeders_ != nullptr && feeders_->has(sender);
}

void superstep_part::declare(std::span<superstep_part* const> feeders) {
  if (feeders_ == nullptr) feeders_ = std::make_unique<internal::feeders>();
  for (superstep_part* each : feeders) {
    if (feeders_->add(*each))
      digest_of_declared_ += mixed_bits(each->serial());  // a sum, since the order does not matter
  }
  is_declared_ = true;  // last, for tasks of the feeders that are sending on other workers
}

void superstep_part::forget_feeder(const superstep_part& gone) noexcept {
  if (feeders_ != nullptr) feeders_->forget(gone);
}

message_counts superstep_part::counts_of_superstep() const noexcept {
  const stream::hop_items now = messages_.items_of_hops();
  SHOAL_ASSERT(now.n_sent >= items_before_.n_sent && now.n_handled >= items_before_.n_handled);
  return {.n_sent = now.n_sent - items_before_.n_sent + work_.n_left(),
          .n_handled = now.n_handled - now.n_ahead - items_before_.n_handled + work_.n_done()};
}

wave_share superstep_part::share(const adaptive_hops& hops) const noexcept {
  wave_share mine{.counts = counts_of_superstep(), .traffic = {}};
  if (hops.learns() && messages_.n_hops() == hops.n_hops_learnt_from()) {
    mine.traffic = messages_.traffic() - traffic_before_;
  }
  return mine;
}

}  // namespace shoal::internal
