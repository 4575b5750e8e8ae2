#include "shoal/substrate/internal/sim/scheduler.hpp"

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::sim {

void scheduler::run_all() noexcept {
  n_unfinished_ = ready_.size();
  if (n_unfinished_ == 0) return;
  thread_.switch_to(pick_next()->strand);
  // The last task to finish switches back here.
}

void scheduler::block(task& self) noexcept {
  self.state = task_state::blocked;
  switch_from(self);
}

void scheduler::sleep_until(task& self, std::uint64_t time_ns) noexcept {
  if (self.now_ns < time_ns) self.now_ns = time_ns;
  make_ready(self);
  switch_from(self);
}

void scheduler::finish(task& self) noexcept {
  self.state = task_state::finished;
  --n_unfinished_;
  if (n_unfinished_ == 0) self.strand.leave_to(thread_);
  ++n_switches_;
  self.strand.leave_to(pick_next()->strand);
}

void scheduler::catch_up(task& self, std::uint64_t slack_ns) noexcept {
  for (;;) {
    // Apply nothing beyond what the task furthest behind may still cause. Each event may change which task that is.
    while (events_.first_time_ns() <= std::min(self.now_ns, others_horizon_ns())) apply_first_event();
    const std::uint64_t others_ns = ready_.first_time_ns();
    if (others_ns >= self.now_ns || self.now_ns - others_ns <= slack_ns) break;
    make_ready(self);
    switch_from(self);
  }
  note_undisturbed_time();
}

void scheduler::apply_first_event() noexcept {
  const event due = events_.pop();
  SHOAL_ASSERT(due.time_ns >= applied_until_ns_);
  applied_until_ns_ = due.time_ns;
  ++n_events_;
  handler_.apply(due);
}

// Picks the ready task furthest behind, after applying all events before its time. An event may make a task ready at
// the event's time, so this looks at both queues alternately.
task* scheduler::pick_next() noexcept {
  for (;;) {
    while (ready_.is_empty() && events_.is_empty()) handler_.nothing_can_move();
    if (events_.first_time_ns() > ready_.first_time_ns()) break;
    apply_first_event();
  }
  task* const next = ready_.pop().who;
  running_ = next;
  note_undisturbed_time();
  return next;
}

void scheduler::switch_from(task& self) noexcept {
  task* const next = pick_next();
  if (next == &self) return;
  ++n_switches_;
  self.strand.switch_to(next->strand);
}

std::uint64_t scheduler::others_horizon_ns() const noexcept {
  const std::uint64_t others_ns = ready_.first_time_ns();
  return others_ns < never_ns - lookahead_ns_ ? others_ns + lookahead_ns_ : never_ns;
}

void scheduler::note_undisturbed_time() noexcept {
  const std::uint64_t horizon_ns = others_horizon_ns();
  undisturbed_until_ns_ = std::min(events_.first_time_ns(), horizon_ns + (horizon_ns != never_ns));
}

}  // namespace shoal::internal::sim
