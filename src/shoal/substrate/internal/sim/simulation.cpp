#include "shoal/substrate/internal/sim/simulation.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <string>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::sim {

simulation::simulation(const settings& chosen) : job_(chosen, *this), stalls_(job_, pes_) {
  const std::vector<double> slowness = slowness_of_pes(chosen.sim.value, job_.memory.n_pes());
  pes_.reserve(slowness.size());
  for (std::size_t i = 0; i < slowness.size(); ++i) {
    pes_.push_back(std::make_unique<simulated_pe>(job_, stalls_, static_cast<pe_id>(i), slowness[i],
                                                  &simulation::run_fiber, this));
  }
}

int simulation::run(const pe_body& body) {
  SHOAL_REQUIRE(body_ == nullptr);
  body_ = &body;
  for (const auto& each : pes_) each->time().start();
  job_.tasks.run_all();
  return status_;
}

// The entry function of each fiber.
void simulation::run_fiber(void* argument) noexcept {
  auto& whole = *static_cast<simulation*>(argument);
  whole.run_pe(whole.pe(whole.job_.tasks.running()->pe));
}

void simulation::run_pe(simulated_pe& self) noexcept {
  current_pe = &self;
  // The layer above ends the job with a better report; this handles bodies that run without it.
  try {
    job_.clock.resume();
    note_status(self, (*body_)(self));
  } catch (const std::exception& error) {
    self.end_job(status_failure, std::string("an exception left the program's body: ") + error.what());
  } catch (...) {
    self.end_job(status_failure, "an exception left the program's body");
  }
  self.time().finish();
}

void simulation::note_status(const simulated_pe& from, int status) noexcept {
  const std::uint64_t now_ns = from.time().now_ns();
  job_.past.note(from.my_pe(), now_ns, static_cast<std::uint64_t>(status));
  // PEs may return in an order different from that of their times, by up to the lookahead.
  if (status != 0 && now_ns < failed_ns_) {
    status_ = status;
    failed_ns_ = now_ns;
  }
}

// --- Events

void simulation::apply(const event& due) noexcept {
  job_.past.note(due);
  switch (due.kind) {
    case event_kind::landing: {
      const std::size_t bytes = network::wire_bytes(job_.memory.slot(due.subject)->header.bytes);
      const std::uint64_t done_ns = receive(job_.memory.owner(due.subject), bytes, due);
      job_.schedule(event_kind::delivery, due.pe, due.subject, done_ns);
      break;
    }
    case event_kind::delivery: deliver(due, arrival::kind::buffer); break;
    case event_kind::slot_back: deliver(due, arrival::kind::slot); break;
    case event_kind::put:
      finish_transfer(due.subject);
      deliver(due, arrival::kind::touch);
      break;
    case event_kind::atomic:
      job_.started.finish_atomic(due.subject);
      deliver(due, arrival::kind::touch);
      break;
    case event_kind::question: {
      // The data set off for the asker, where they are written like those of a put.
      const auto [time_ns, asker] = job_.started.read_for_get(due.subject);
      job_.schedule(event_kind::put, asker, due.subject, time_ns);
      break;
    }
    case event_kind::touch: deliver(due, arrival::kind::touch); break;
    case event_kind::round_end:
      for (const auto& each : pes_) each->time().deliver({due.time_ns, 0, arrival::kind::round_end});
      break;
    case event_kind::control_landing: {
      const control_message& landing = job_.controls.at(due.subject);
      const std::uint64_t done_ns = receive(landing.source, network::wire_bytes(landing.bytes), due);
      job_.schedule(event_kind::control_delivery, due.pe, due.subject, done_ns);
      break;
    }
    case event_kind::control_delivery: deliver(due, arrival::kind::control); break;
    case event_kind::control_place: deliver(due, arrival::kind::control_place); break;
    case event_kind::probe_back: deliver(due, arrival::kind::probe); break;
  }
}

// When a transfer that lands is in memory. A network made of software needs a core to bring it there; of that, the time for an
// empty transfer is a part of the latency.
std::uint64_t simulation::receive(pe_id source, std::size_t bytes, const event& landing) noexcept {
  std::uint64_t reached_ns = landing.time_ns;
  if (job_.cores.are_shared()) {
    const std::uint64_t began_ns = reached_ns - std::min(reached_ns, job_.links.carrier_ns(source, landing.pe, 0));
    reached_ns = job_.cores.run(began_ns, job_.links.carrier_ns(source, landing.pe, bytes));
  }
  return job_.links.receive(source, landing.pe, bytes, std::max(reached_ns, landing.time_ns));
}

// The program may have let it read or write a variable on the stack of a PE that does not run.
void simulation::finish_transfer(std::uint32_t number) noexcept {
  std::span<std::byte> stack;
  if (job_.locks_stacks) {
    const std::size_t owner = job_.stacks.index_of(job_.started.memory_of_starter(number));
    const auto running = static_cast<std::size_t>(job_.tasks.running()->pe);
    if (owner != fiber_stacks::none && owner != running) stack = job_.stacks.stack(owner);
  }
  if (!stack.empty()) set_access(stack, true);
  job_.started.finish_transfer(number);
  if (!stack.empty()) set_access(stack, false);
}

void simulation::deliver(const event& due, arrival::kind what) noexcept {
  pe(due.pe).time().deliver({due.time_ns, due.subject, what});
}

}  // namespace shoal::internal::sim
