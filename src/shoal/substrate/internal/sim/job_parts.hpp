/// What the PEs of a simulated job share: settings, network, scheduler, memory, history.
#pragma once

#include <cstdint>
#include <memory>

#include "shoal/base/internal/fiber.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/sim/chance.hpp"
#include "shoal/substrate/internal/sim/control_messages.hpp"
#include "shoal/substrate/internal/sim/final_report.hpp"
#include "shoal/substrate/internal/sim/history.hpp"
#include "shoal/substrate/internal/sim/network.hpp"
#include "shoal/substrate/internal/sim/program_clock.hpp"
#include "shoal/substrate/internal/sim/rounds.hpp"
#include "shoal/substrate/internal/sim/scheduler.hpp"
#include "shoal/substrate/internal/sim/shared_cores.hpp"
#include "shoal/substrate/internal/sim/slot_custody.hpp"
#include "shoal/substrate/internal/sim/started_operations.hpp"
#include "shoal/substrate/internal/sim/world_memory.hpp"

namespace shoal::internal::sim {

/// The parts know nothing of PEs. Of each other they know only what their constructors take.
struct job_parts {
  /// Throws setup_error.
  job_parts(const settings& chosen_, event_handler& events)
      : chosen(chosen_),
        refusal(chosen.sim.value.refuse, engine_of(chosen.sim.value, chance_stream::refusals)),
        preemption(chosen.sim.value.preempt, engine_of(chosen.sim.value, chance_stream::preemptions)),
        links(chosen.sim.value, chosen.n_pes.value, node_size_of(chosen)),
        tasks(events, engine_of(chosen.sim.value, chance_stream::ties), links.least_latency_ns()),
        cores(chosen.sim.value.n_cores),
        clock(chosen.sim.value.compute),
        memory(chosen),
        custody(memory),
        collective(memory.n_pes(), memory.rounds()),
        stacks(memory.n_pes(), chosen.sim.value.stack_bytes, "lower SHOAL_PES or SHOAL_SIM=stack=64k"),
        report(chosen),
        locks_stacks(chosen.sim.value.lock_stacks && chosen.n_workers.value == 1) {}

  static pe_id node_size_of(const settings& of) noexcept {
    return of.node_size.value > 0 ? of.node_size.value : of.n_pes.value;
  }

  void schedule(event_kind kind, pe_id where, std::uint32_t subject, std::uint64_t time_ns) {
    tasks.add({time_ns, 0, static_cast<std::int32_t>(where), subject, kind});
  }

  settings chosen;
  hazard refusal;
  hazard preemption;
  network links;
  scheduler tasks;
  shared_cores cores;
  program_clock clock;
  world_memory memory;
  slot_custody custody;
  rounds collective;
  fiber_stacks stacks;
  started_operations started;
  control_messages controls;
  history past;
  final_report report;
  const bool locks_stacks;  // of PEs that do not run; with several workers, a PE's stack is for all of them
  std::shared_ptr<void> common;  // substrate::common_place
};

}  // namespace shoal::internal::sim
