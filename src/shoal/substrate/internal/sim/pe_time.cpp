#include "shoal/substrate/internal/sim/pe_time.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::sim {

pe_time::pe_time(job_parts& job, arrival_handler& handler, pe_id my_pe, double slowness, fiber::entry run,
                 void* argument)
    : job_(job),
      handler_(handler),
      slowness_(slowness),
      task_(static_cast<std::int32_t>(my_pe), job.stacks.stack(static_cast<std::size_t>(my_pe)), run, argument) {
  if (job.locks_stacks) task_.strand.lock_stack();
}

pe_time::call pe_time::enter(std::uint64_t cost_ns) noexcept {
  take_program_time();
  compute(cost_ns);
  if (job_.preemption.strikes()) preempt();
  job_.tasks.synchronize(task_);
  job_.links.reach(task_.now_ns);
  if (!arrivals_.empty()) take_arrivals();
  if (!job_.stacks.has_guards()) check_stack();
  return call(job_.clock);
}

std::uint64_t pe_time::read_ns() noexcept {
  take_program_time();
  job_.clock.resume();
  return task_.now_ns;
}

void pe_time::take_program_time() noexcept {
  if (const std::uint64_t program_ns = job_.clock.stop(); program_ns != 0) compute(program_ns);
}

void pe_time::act_strictly_after(std::uint64_t cost_ns) noexcept {
  pass(cost_ns);
  job_.tasks.synchronize_strictly(task_);
  job_.links.reach(task_.now_ns);
  take_arrivals();
}

// Takes the core away long enough for other PEs, at or behind this PE's time, to exchange a few messages.
void pe_time::preempt() noexcept { pass(1 + job_.preemption.below(1000 + 4 * job_.links.usual_one_way_ns())); }

void pe_time::sleep_until(std::uint64_t time_ns) noexcept {
  job_.tasks.sleep_until(task_, time_ns);
  take_arrivals();
}

void pe_time::sleep_until_arrival() noexcept {
  if (!arrivals_.empty()) return sleep_until(arrivals_.front().time_ns);
  job_.tasks.block(task_);
  take_arrivals();
}

void pe_time::deliver(const arrival& what) {
  SHOAL_ASSERT(arrivals_.empty() || arrivals_.back().time_ns <= what.time_ns);
  arrivals_.push_back(what);
  wake_if_blocked(what.time_ns);
}

void pe_time::take_arrivals() noexcept {
  while (!arrivals_.empty() && arrivals_.front().time_ns <= task_.now_ns) {
    const arrival next = arrivals_.front();
    arrivals_.pop_front();
    handler_.take_in(next);
  }
}

void pe_time::check_stack() noexcept {
  if (job_.stacks.is_intact(static_cast<std::size_t>(task_.pe))) return;
  job_.report.end(status_failure, task_.pe,
                  "overflowed its stack of " + std::to_string(job_.chosen.sim.value.stack_bytes) +
                      " bytes; raise SHOAL_SIM=stack=1M");
}

}  // namespace shoal::internal::sim
