#include "shoal/substrate/internal/sim/stall_proof.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal::sim {

void stall_proof::nothing_can_move() noexcept {
  if (let_all_look_again(n_looks_before_stall)) return;
  job_.report.end_stalled("shoal: nothing can move any more at " + std::to_string(latest_ns(pes_)) + " ns " +
                          job_.report.place_and_replay() + '\n' + lines_about_pes(accounts(nullptr)));
}

// Events come only from events and from calls of PEs. If no event is pending and every PE that is not blocked keeps
// calling without effect, nothing will change unless a PE changes its behaviour by itself. A PE that computes for long
// between its calls declares it (charge_ns).
void stall_proof::suspect_endless_loop(pe_id spinning) noexcept {
  const auto spins_too = [this](const task& other) { return other.polls->are_repeated(); };
  if (job_.tasks.has_events() || !job_.tasks.all_ready(spins_too)) return;
  if (let_all_look_again(n_looks_before_endless)) return;
  const std::uint64_t n_calls = fruitless_calls::n_per_look * (n_looks_before_endless + 1);
  const simulated_pe& caller = *pes_[static_cast<std::size_t>(spinning)];
  job_.report.end_stalled("shoal: PE " + std::to_string(spinning) + " calls progress, advance or the like for ever: " +
                          std::to_string(n_calls) + " calls in a row found nothing and nothing else can move at " +
                          std::to_string(caller.time().now_ns()) + " ns " + job_.report.place_and_replay() + '\n' +
                          lines_about_pes(accounts(&caller)));
}

bool stall_proof::let_all_look_again(unsigned n_looks_max) {
  if (job_.past.n_changes() != n_changes_at_look_) {
    n_changes_at_look_ = job_.past.n_changes();
    n_looks_ = 0;
  }
  if (n_looks_ == n_looks_max) return false;
  ++n_looks_;
  const std::uint64_t then_ns = latest_ns(pes_) + job_.links.usual_latency_ns() + 1;
  for (const auto& each : pes_) each->time().wake_if_blocked(then_ns);
  return true;
}

std::vector<pe_account> stall_proof::accounts(const simulated_pe* spinning) const {
  std::vector<pe_account> all;
  all.reserve(pes_.size());
  // What the layer above knows lies on the stacks. Nothing runs on them any more.
  if (job_.locks_stacks) {
    for (std::size_t i = 0; i < pes_.size(); ++i) set_access(job_.stacks.stack(i), true);
  }
  for (const auto& each : pes_) {
    const task_state state = each->time().state();
    if (state == task_state::finished) {
      all.push_back({pe_account::kind::has_returned, ""});
      continue;
    }
    const bool runs = each.get() == spinning || state == task_state::ready;
    all.push_back({runs ? pe_account::kind::runs : pe_account::kind::waits, each->describe_wait()});
  }
  return all;
}

}  // namespace shoal::internal::sim
