/// A whole job in one thread: PEs as fibers, a modelled network between them, one virtual clock.
#pragma once

#include <cstdint>

#include "shoal/base/settings.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "shoal/substrate/internal/sim/job_parts.hpp"
#include "shoal/substrate/internal/sim/scheduler.hpp"
#include "shoal/substrate/internal/sim/simulated_pe.hpp"
#include "shoal/substrate/internal/sim/stall_proof.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::sim {

/// Everything depends only on the settings, including the seed, and on the program: no real clock, no address and no
/// other source of chance decides anything. See docs/design/simulator.md.
class simulation final : private event_handler {
public:
  /// Throws setup_error.
  explicit simulation(const settings& chosen);
  ~simulation() = default;
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// Runs `body` once per PE and returns when all have returned: 0, or the status of the PE that failed first in
  /// virtual time. Called once. Ends the process with a report if nothing can move.
  int run(const pe_body& body);

  /// A hash over all changes in order. Equal for equal settings and programs.
  std::uint64_t trace_hash() const noexcept { return job_.past.hash(); }

  /// The latest time of all PEs.
  std::uint64_t now_ns() const noexcept { return latest_ns(pes_); }

  std::uint64_t n_events() const noexcept { return job_.tasks.n_events(); }
  std::uint64_t n_switches() const noexcept { return job_.tasks.n_switches(); }

private:
  static void run_fiber(void* whole) noexcept;
  [[noreturn]] void run_pe(simulated_pe& self) noexcept;
  void note_status(const simulated_pe& from, int status) noexcept;

  void apply(const event& due) noexcept override;
  void nothing_can_move() noexcept override { stalls_.nothing_can_move(); }
  std::uint64_t receive(pe_id source, std::size_t bytes, const event& landing) noexcept;
  void finish_transfer(std::uint32_t number) noexcept;
  void deliver(const event& due, arrival::kind what) noexcept;

  simulated_pe& pe(std::int32_t number) noexcept { return *pes_[static_cast<std::size_t>(number)]; }

  job_parts job_;
  stall_proof stalls_;
  simulated_pes pes_;  // destroyed before what they use

  const pe_body* body_ = nullptr;
  int status_ = 0;
  std::uint64_t failed_ns_ = never_ns;  // when the PE failed whose status is status_
};

}  // namespace shoal::internal::sim
