/// The threads of a simulated PE beside its own: fibers with virtual clocks of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "shoal/base/internal/fiber.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/pe_threads.hpp"
#include "shoal/substrate/internal/sim/fruitless_calls.hpp"
#include "shoal/substrate/internal/sim/scheduler.hpp"

namespace shoal::internal::sim {

struct job_parts;
class pe_time;
class simulated_pe;
class stall_proof;

/// Each has a core of its own, as PEs have. What one of them leaves for another one is there at once, whatever their clocks
/// say; these are within the latency of a link of one another.
class simulated_threads final : public pe_threads {
public:
  /// `of`, whose own thread has the clock `time`, outlives this object.
  simulated_threads(job_parts& job, stall_proof& stalls, simulated_pe& of, pe_time& time) noexcept
      : job_(job), stalls_(stalls), pe_(of), time_(time) {}
  ~simulated_threads() override;

  void start(std::size_t n, std::function<void(std::size_t)> run) override;
  void join() noexcept override;
  void pause(unsigned& patience) noexcept override;
  void idle(unsigned& patience, const std::function<bool()>& has_work) noexcept override;
  void notify_pe() noexcept override;
  bool takes_turns() const noexcept override { return true; }
  void take_turn() noexcept override;

  /// That which runs now; null: none of them does.
  task* running() const noexcept;
  /// For that one: lets time pass, with what the program has computed, and reads its clock.
  void compute(task& self, std::uint64_t ns) noexcept;
  void charge(task& self, std::uint64_t ns) noexcept;
  std::uint64_t read_ns(task& self) noexcept;

private:
  struct thread_fiber {
    thread_fiber(simulated_threads& of_pe, std::size_t its_number, std::span<std::byte> stack);

    simulated_threads& of;
    const std::size_t number;
    fruitless_calls polls;
    task its;
  };

  static void run_fiber(void* argument) noexcept;
  void wake_sleepers(bool all) noexcept override;
  void synchronize(task& self) noexcept;

  thread_fiber* of_running() const noexcept;

  job_parts& job_;
  stall_proof& stalls_;
  simulated_pe& pe_;
  pe_time& time_;
  std::unique_ptr<fiber_stacks> stacks_;
  std::vector<std::unique_ptr<thread_fiber>> threads_;
  std::function<void(std::size_t)> run_;
};

}  // namespace shoal::internal::sim
