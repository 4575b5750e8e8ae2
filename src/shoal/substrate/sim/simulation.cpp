#include "shoal/substrate/sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <utility>

#include "shoal/base/contract.hpp"

namespace shoal::sim {
namespace {

// Streams of the seed.
enum stream : std::uint64_t { ties, holds, refusals, preemptions, slow_pes };

// Which PEs are slow: a share of them rounded to the nearest, but at least one if any are wanted.
std::vector<double> slowness_of_pes(const sim_settings& model, std::size_t n_pes) {
  std::vector<double> slowness(n_pes, 1);
  if (model.slow_share <= 0) return slowness;
  const double wanted = std::round(model.slow_share * static_cast<double>(n_pes));
  const auto n_slow = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, n_pes);
  random_engine random(model.seed, stream::slow_pes);
  std::fill_n(slowness.begin(), n_slow, model.slow_factor);
  for (std::size_t i = n_pes; i > 1; --i) std::swap(slowness[i - 1], slowness[random.below(i)]);
  return slowness;
}

}  // namespace

simulation::simulation(const settings& chosen)
    : chosen_(chosen),
      refusals_(chosen.sim.value.seed, stream::refusals),
      preemptions_(chosen.sim.value.seed, stream::preemptions),
      refuse_(chosen.sim.value.refuse),
      preempt_(chosen.sim.value.preempt),
      network_(chosen.sim.value, chosen.n_pes.value, random_engine(chosen.sim.value.seed, stream::holds)),
      scheduler_(*this, random_engine(chosen.sim.value.seed, stream::ties), chosen.sim.value.latency_ns),
      memory_(chosen),
      rounds_(memory_.n_pes(), memory_.rounds()),
      stacks_(memory_.n_pes(), chosen.sim.value.stack_bytes) {
  const std::vector<double> slowness = slowness_of_pes(chosen.sim.value, memory_.n_pes());
  pes_.reserve(memory_.n_pes());
  for (std::size_t i = 0; i < memory_.n_pes(); ++i) {
    pes_.push_back(std::make_unique<simulated_pe>(*this, static_cast<pe_id>(i), slowness[i], stacks_.stack(i)));
  }
}

simulation::~simulation() = default;

int simulation::run(const pe_body& body) {
  SHOAL_REQUIRE(body_ == nullptr);
  body_ = &body;
  for (const auto& each : pes_) scheduler_.make_ready(each->task_);
  scheduler_.run_all();
  return status_;
}

std::uint64_t simulation::now_ns() const noexcept {
  std::uint64_t latest_ns = 0;
  for (const auto& each : pes_) latest_ns = std::max(latest_ns, each->task_.now_ns);
  return latest_ns;
}

// The first function on a PE's fiber.
void simulation::run_pe(void* argument) noexcept {
  auto& self = *static_cast<simulated_pe*>(argument);
  current_pe = &self;
  // The layer above ends the job with a better report; this is for bodies that run without it.
  try {
    self.sim_.returned(self, (*self.sim_.body_)(self));
  } catch (const std::exception& error) {
    self.end_job(status_failure, std::string("an exception left the program's body: ") + error.what());
  } catch (...) {
    self.end_job(status_failure, "an exception left the program's body");
  }
  self.sim_.scheduler_.finish(self.task_);
}

void simulation::returned(simulated_pe& from, int status) noexcept {
  const std::uint64_t now_ns = from.task_.now_ns;
  changed(from.task_, static_cast<std::uint64_t>(status));
  // PEs may return in another order than that of their times, by up to the lookahead.
  if (status != 0 && now_ns < failed_ns_) {
    status_ = status;
    failed_ns_ = now_ns;
  }
}

// --- Events

void simulation::apply(const event& due) noexcept {
  ++n_changes_;
  note(due.time_ns,
       static_cast<std::uint64_t>(due.kind) << 56 ^ static_cast<std::uint64_t>(due.pe) << 32 ^ due.subject);
  using arrival_kind = simulated_pe::arrival_kind;
  simulated_pe& where = pe(due.pe);
  switch (due.kind) {
    case event_kind::landing: {
      const std::size_t bytes = wire_bytes(*memory_.slot(due.subject));
      const std::uint64_t done_ns = network_.receive(due.pe, bytes, due.time_ns);
      schedule(event_kind::delivery, due.pe, due.subject, done_ns);
      break;
    }
    case event_kind::delivery: deliver(where, {due.time_ns, due.subject, arrival_kind::buffer}); break;
    case event_kind::slot_back: deliver(where, {due.time_ns, due.subject, arrival_kind::slot}); break;
    case event_kind::put:
      finish_transfer(due.subject);
      deliver(where, {due.time_ns, 0, arrival_kind::touch});
      break;
    case event_kind::addition:
      finish_addition(due.subject);
      deliver(where, {due.time_ns, 0, arrival_kind::touch});
      break;
    case event_kind::question: answer(due.subject); break;
    case event_kind::touch: deliver(where, {due.time_ns, 0, arrival_kind::touch}); break;
    case event_kind::round_end:
      for (const auto& each : pes_) deliver(*each, {due.time_ns, 0, arrival_kind::round_end});
      break;
  }
}

void simulation::deliver(simulated_pe& to, const simulated_pe::arrival& what) {
  SHOAL_ASSERT(to.arrivals_.empty() || to.arrivals_.back().time_ns <= what.time_ns);
  to.arrivals_.push_back(what);
  if (to.task_.state == task_state::blocked) scheduler_.wake(to.task_, what.time_ns);
}

std::uint32_t simulation::keep(one_sided started) {
  if (free_in_flight_.empty()) {
    free_in_flight_.push_back(static_cast<std::uint32_t>(in_flight_.size()));
    in_flight_.emplace_back();
  }
  const std::uint32_t index = free_in_flight_.back();
  free_in_flight_.pop_back();
  in_flight_[index] = std::move(started);
  return index;
}

// The question of a get is there: its data set out for the asker, where they are written like those of a put.
void simulation::answer(std::uint32_t index) {
  one_sided& get = in_flight_[index];
  if (!get.data.empty()) std::memcpy(get.data.data(), get.source, get.data.size());
  schedule(event_kind::put, get.asker, index, get.answered_ns);
}

void simulation::finish_transfer(std::uint32_t index) noexcept {
  const one_sided& done = in_flight_[index];
  if (!done.data.empty()) std::memcpy(done.target, done.data.data(), done.data.size());
  free_in_flight_.push_back(index);
}

void simulation::finish_addition(std::uint32_t index) noexcept {
  const one_sided& done = in_flight_[index];
  std::uint64_t word = 0;
  std::memcpy(&word, done.target, sizeof word);
  word += done.operand;
  std::memcpy(done.target, &word, sizeof word);
  free_in_flight_.push_back(index);
}

// --- When nothing moves

// Every PE is blocked in `wait` or has returned, and no event is under way: nothing that the simulator
// knows of can ever happen. A PE may still have stored to another one's heap directly, unseen by us, so
// all get to look again (`wait` may return early). If that changes nothing, many times, it is proven.
void simulation::nothing_can_move() noexcept {
  if (let_all_look_again(n_looks_before_stall)) return;
  end("shoal: nothing can move any more at " + std::to_string(now_ns()) + " ns " + place_and_replay() + '\n' +
          lines_about_pes(accounts(nullptr)),
      status_failure);
}

// Events come only from events and from calls of PEs. No event is under way, and all PEs that are not
// blocked have called in vain again and again; so nothing will change unless one of them does by itself
// something else than before. A PE that computes for long between its calls says so (charge_ns).
void simulation::suspect_endless_loop(simulated_pe& spinning) noexcept {
  const auto spins_too = [this](const task& other) {
    const simulated_pe& candidate = pe(other.pe);
    return candidate.n_changes_seen_ == n_changes_ && candidate.n_fruitless_ >= 100;
  };
  if (scheduler_.has_events() || !scheduler_.all_ready(spins_too)) return;
  if (let_all_look_again(n_looks_before_endless)) return;
  const std::uint64_t n_calls = n_fruitless_per_look * (n_looks_before_endless + 1);
  end("shoal: PE " + std::to_string(spinning.my_pe_) + " calls yield forever: " + std::to_string(n_calls) +
          " calls in a row found nothing and nothing else can move at " + std::to_string(spinning.task_.now_ns) +
          " ns " + place_and_replay() + '\n' + lines_about_pes(accounts(&spinning)),
      status_failure);
}

bool simulation::let_all_look_again(unsigned n_looks_max) {
  if (n_changes_ != n_changes_at_look_) {
    n_changes_at_look_ = n_changes_;
    n_looks_ = 0;
  }
  if (n_looks_ == n_looks_max) return false;
  ++n_looks_;
  const std::uint64_t then_ns = now_ns() + network_.latency_ns() + 1;
  for (const auto& each : pes_) {
    if (each->task_.state == task_state::blocked) scheduler_.wake(each->task_, then_ns);
  }
  return true;
}

std::vector<pe_account> simulation::accounts(const simulated_pe* spinning) const {
  std::vector<pe_account> all;
  all.reserve(pes_.size());
  for (const auto& each : pes_) {
    if (each->task_.state == task_state::finished) {
      all.push_back({pe_account::kind::has_returned, ""});
      continue;
    }
    const bool runs = each.get() == spinning || each->task_.state == task_state::ready;
    const std::size_t n_free = each->n_free_ + (each->n_slots_ - each->n_made_);
    all.push_back({runs ? pe_account::kind::runs : pe_account::kind::waits,
                   (each->stall_asks_ != nullptr ? each->stall_asks_->describe_wait() : "it did not say for what") +
                       "; unread buffers: " + std::to_string(each->n_ready_) +
                       ", free slots: " + std::to_string(n_free) + " of " + std::to_string(each->n_slots_)});
  }
  return all;
}

std::string simulation::place_and_replay() const {
  return "(substrate sim, seed " + std::to_string(chosen_.sim.value.seed) + ", " + std::to_string(pes_.size()) +
         " PEs); replay with " + replay_environment(chosen_);
}

void simulation::check_stack(simulated_pe& running) noexcept {
  if (stacks_.is_intact(static_cast<std::size_t>(running.my_pe_))) return;
  running.end_job(status_failure, "overflowed its stack of " + std::to_string(chosen_.sim.value.stack_bytes) +
                                      " bytes; raise SHOAL_SIM=stack=1M");
}

// Everything in this process is over with the first report, so there cannot be a second one, unless what
// we call on the way (a stream's buffer, a description of a stall) fails in its turn.
void simulation::end(const std::string& text, int status) noexcept {
  if (!std::exchange(is_ending_, true)) {
    std::cout.flush();
    std::fflush(stdout);
    std::fputs(text.c_str(), stderr);
    std::fflush(nullptr);
  }
  std::_Exit(status);
}

}  // namespace shoal::sim
