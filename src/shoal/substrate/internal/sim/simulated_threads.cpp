#include "shoal/substrate/internal/sim/simulated_threads.hpp"

#include <algorithm>

#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/sim/job_parts.hpp"
#include "shoal/substrate/internal/sim/pe_time.hpp"
#include "shoal/substrate/internal/sim/simulated_pe.hpp"

namespace shoal::internal::sim {
namespace {

// They only begin here; tasks have stacks of their own.
constexpr std::size_t stack_bytes = std::size_t{64} << 10;

}  // namespace

simulated_threads::thread_fiber::thread_fiber(simulated_threads& of_pe, std::size_t its_number,
                                              std::span<std::byte> stack)
    : of(of_pe),
      number(its_number),
      polls(of_pe.job_.past, of_pe.stalls_, of_pe.pe_.my_pe()),
      its(static_cast<std::int32_t>(of_pe.pe_.my_pe()), stack, &simulated_threads::run_fiber, this) {
  its.polls = &polls;
}

simulated_threads::~simulated_threads() { SHOAL_ASSERT(threads_.empty()); }

void simulated_threads::start(std::size_t n, std::function<void(std::size_t)> run) {
  SHOAL_ASSERT(threads_.empty());
  run_ = std::move(run);
  stacks_ = std::make_unique<fiber_stacks>(n, stack_bytes, "lower SHOAL_PES or SHOAL_WORKERS");
  n_started_ = n;
  for (std::size_t i = 1; i <= n; ++i) {
    threads_.push_back(std::make_unique<thread_fiber>(*this, i, stacks_->stack(i - 1)));
    task& its = threads_.back()->its;
    its.now_ns = time_.read_ns();
    job_.tasks.start(its);
  }
}

// The entry function of each fiber.
void simulated_threads::run_fiber(void* argument) noexcept {
  auto& self = *static_cast<thread_fiber*>(argument);
  self.of.job_.clock.resume();
  self.of.run_(self.number);
  self.of.notify_pe();
  self.of.job_.tasks.finish(self.its);
}

void simulated_threads::join() noexcept {
  const auto has_finished = [](const auto& each) { return each->its.state == task_state::finished; };
  for (unsigned patience = 0; !std::ranges::all_of(threads_, has_finished);) pause(patience);
  threads_.clear();
  n_started_ = 0;
}

// As simulated_pe::pause, but for who waits for a thread of its PE, which is near.
void simulated_threads::pause(unsigned&) noexcept {
  thread_fiber* const self = of_running();
  if (self == nullptr) return time_.sleep_until(time_.now_ns() + pe_time::call_ns);
  self->its.now_ns += job_.links.usual_latency_ns() / 4;
  self->polls.add();
  synchronize(self->its);
}

simulated_threads::thread_fiber* simulated_threads::of_running() const noexcept {
  if (threads_.empty()) return nullptr;
  const task* const now = job_.tasks.running();
  const auto found = std::ranges::find_if(threads_, [now](const auto& each) { return &each->its == now; });
  return found == threads_.end() ? nullptr : found->get();
}

task* simulated_threads::running() const noexcept {
  thread_fiber* const self = of_running();
  return self == nullptr ? nullptr : &self->its;
}

// The program's clock tells what it computes, if that is on.
void simulated_threads::charge(task& self, std::uint64_t ns) noexcept {
  of_running()->polls.reset();
  if (!job_.clock.is_on()) compute(self, ns);
}

void simulated_threads::compute(task& self, std::uint64_t ns) noexcept {
  self.now_ns = job_.cores.run(self.now_ns, time_.slowed(job_.clock.stop() + ns));
  job_.clock.resume();
}

std::uint64_t simulated_threads::read_ns(task& self) noexcept {
  compute(self, 0);
  return self.now_ns;
}

void simulated_threads::synchronize(task& self) noexcept {
  compute(self, pe_time::call_ns);
  if (job_.preemption.strikes()) self.now_ns += 1 + job_.preemption.below(1000 + 4 * job_.links.usual_one_way_ns());
  job_.tasks.synchronize(self);
  job_.clock.resume();
}

void simulated_threads::take_turn() noexcept {
  if (thread_fiber* const self = of_running(); self != nullptr) {
    self->polls.reset();  // it runs tasks
    return synchronize(self->its);
  }
  const auto inside = time_.enter(pe_time::call_ns);
}

void simulated_threads::idle(unsigned&, const std::function<bool()>& has_work) noexcept {
  task& self = *running();
  synchronize(self);
  n_sleeping_.fetch_add(1, std::memory_order_relaxed);
  if (has_work()) {
    n_sleeping_.fetch_sub(1, std::memory_order_relaxed);
  } else {
    job_.tasks.block(self);
  }
  job_.clock.resume();
}

void simulated_threads::notify_pe() noexcept {
  pe_.note_news();
  time_.wake_if_blocked(job_.tasks.running()->now_ns);
}

void simulated_threads::wake_sleepers(bool all) noexcept {
  for (const auto& each : threads_) {
    if (each->its.state != task_state::blocked) continue;
    job_.tasks.wake(each->its, job_.tasks.running()->now_ns);
    n_sleeping_.fetch_sub(1, std::memory_order_relaxed);
    if (!all) return;
  }
}

}  // namespace shoal::internal::sim
