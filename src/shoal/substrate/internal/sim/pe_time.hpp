/// One PE's virtual time, and what has arrived at the PE by then.
#pragma once

#include <cstdint>
#include <deque>

#include "shoal/base/internal/fiber.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/sim/job_parts.hpp"
#include "shoal/substrate/internal/sim/scheduler.hpp"

namespace shoal::internal::sim {

struct arrival {
  enum class kind : std::uint8_t { buffer, slot, touch, round_end, control, control_place, probe };

  std::uint64_t time_ns = 0;
  std::uint32_t subject = 0;  // number of a buffer's slot, of a slot or of a control message
  kind what = kind::touch;
};

/// What a PE does with arrivals.
class arrival_handler {
public:
  virtual void take_in(const arrival& next) noexcept = 0;

protected:
  ~arrival_handler() = default;
};

/// Time advances only by declared costs. A call that advances it and synchronizes returns when the simulation has
/// caught up with that time, and everything that has arrived by then has been delivered. So a PE never sees anything
/// early.
class pe_time {
public:
  /// The cost of a call of the substrate that neither sends nor receives. Small compared with a network, but not zero,
  /// so that time passes on a PE that polls.
  static constexpr std::uint64_t call_ns = 20;

  /// `run(argument)` is the PE's fiber. `slowness`: how many times longer than on other PEs everything takes. `job` and
  /// `handler` outlive this object.
  pe_time(job_parts& job, arrival_handler& handler, pe_id my_pe, double slowness, fiber::entry run, void* argument);

  std::uint64_t now_ns() const noexcept { return task_.now_ns; }
  task_state state() const noexcept { return task_.state; }

  // --- For the PE, while it runs

  /// A call of the substrate, until its end.
  class [[nodiscard]] call {
  public:
    explicit call(program_clock& of) noexcept : clock_(of) {}
    ~call() { clock_.resume(); }
    call(const call&) = delete;
    call& operator=(const call&) = delete;

  private:
    program_clock& clock_;
  };

  /// Begins a call of the substrate, which costs this PE `cost_ns`. If the program's time is measured, what it has taken since
  /// the last call passes, too.
  call enter(std::uint64_t cost_ns) noexcept;

  /// Advances by `cost_ns` of network time. Afterwards no other PE is behind this one, so it may act on memory that
  /// others see.
  void act_strictly_after(std::uint64_t cost_ns) noexcept;

  /// This PE's time now, with what its program has taken since its last call. Reading it costs nothing.
  std::uint64_t read_ns() noexcept;

  // Advance without synchronizing.

  /// Work of this PE, for which it needs a core.
  void compute(std::uint64_t ns) noexcept { task_.now_ns = job_.cores.run(task_.now_ns, slowed(ns)); }
  /// Time that passes on the network.
  void pass(std::uint64_t ns) noexcept { task_.now_ns += ns; }
  /// Lets time pass as this PE counts it, without a core.
  void idle(std::uint64_t ns) noexcept { task_.now_ns += slowed(ns); }

  void sleep_until(std::uint64_t time_ns) noexcept;

  /// Sleeps until something arrives or the simulation wakes this PE.
  void sleep_until_arrival() noexcept;

  [[noreturn]] void finish() noexcept { job_.tasks.finish(task_); }

  /// How long this PE takes for what others do in `ns`.
  std::uint64_t slowed(std::uint64_t ns) const noexcept {
    return slowness_ == 1 ? ns : static_cast<std::uint64_t>(static_cast<double>(ns) * slowness_);
  }

  // --- For the simulation

  void start() { job_.tasks.make_ready(task_); }
  void count_polls_by(const fruitless_calls& counts) noexcept { task_.polls = &counts; }

  /// Adds an arrival, not earlier than the one added before it.
  void deliver(const arrival& what);

  /// Wakes the PE if it sleeps until an arrival.
  void wake_if_blocked(std::uint64_t time_ns) {
    if (task_.state == task_state::blocked) job_.tasks.wake(task_, time_ns);
  }

private:
  void take_program_time() noexcept;
  void take_arrivals() noexcept;
  void preempt() noexcept;
  void check_stack() noexcept;

  job_parts& job_;
  arrival_handler& handler_;
  double slowness_;
  task task_;
  std::deque<arrival> arrivals_;  // in order of time; those after this PE's time are not visible yet
};

}  // namespace shoal::internal::sim
