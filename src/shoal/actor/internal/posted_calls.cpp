#include "shoal/actor/internal/posted_calls.hpp"

#include <string>
#include <utility>

#include "shoal/actor/internal/supersteps.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/pe_threads.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {

posted_calls::posted_calls(world& home, exchange& through, const team_worlds& teams)
    : exchange_(through), teams_(teams), later_(home, "world.post") {
  exchange_.parts().spare.enter(*this);
}

posted_calls::~posted_calls() { exchange_.parts().spare.leave(*this); }

void posted_calls::post(std::unique_ptr<deferred_call> call) {
  if (current_pe == nullptr && is_simulated(exchange_.backend().kind())) {
    end_job(
        status_usage,
        "world.post by a thread that the program has started: sim runs all PEs on one thread, so that a seed replays "
        "them; choose SHOAL_SUBSTRATE=local or threads");
  }
  {
    const std::lock_guard lock(posting_);
    posted_.push_back(std::move(call));
    has_any_.store(true, std::memory_order_release);
  }
  exchange_.backend().threads().notify_pe();
}

bool posted_calls::run() {
  if (!has_any_.load(std::memory_order_acquire)) return false;
  if (teams_.sender_now() == nullptr || !may_begin_work(teams_.steps_now())) return false;
  std::vector<std::unique_ptr<deferred_call>> all;
  {
    const std::lock_guard lock(posting_);
    all.swap(posted_);
    has_any_.store(false, std::memory_order_relaxed);
  }
  // Nobody knows when they come: perhaps when the main program is done with its mailboxes.
  for (auto& each : all) later_.leave(std::move(each), false);
  return true;
}

void posted_calls::require_none() {
  const std::lock_guard lock(posting_);
  if (posted_.empty()) return;
  end_job(status_usage,
          "world.post: the job ends before what was posted has run (calls: " + std::to_string(posted_.size()) +
              "); calls run inside world.finish, so let one wait until all have been posted");
}

}  // namespace shoal::internal
