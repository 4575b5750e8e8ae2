#include "shoal/substrate/sim/simulated_pe.hpp"

#include <cstring>
#include <new>

#include "shoal/base/contract.hpp"
#include "shoal/substrate/sim/simulation.hpp"

namespace shoal::sim {
namespace {

// `refuse` must not keep a PE from its slots for ever.
constexpr unsigned n_refusals_max = 64;

}  // namespace

simulated_pe::simulated_pe(simulation& whole, pe_id my_pe, double slowness, std::span<std::byte> stack)
    : substrate(my_pe, static_cast<pe_id>(whole.memory_.n_pes())),
      sim_(whole),
      slowness_(slowness),
      task_(static_cast<std::int32_t>(my_pe), stack, &simulation::run_pe, this),
      ready_first_(world_memory::no_slot),
      ready_last_(world_memory::no_slot),
      free_first_(world_memory::no_slot) {
  payload_bytes_ = sim_.memory_.payload_bytes();
  n_slots_ = sim_.memory_.n_slots();
  heap_ = sim_.memory_.heap(my_pe);
  heap_bytes_ = sim_.memory_.heap_bytes();
}

simulated_pe::~simulated_pe() {
  const auto first = static_cast<std::uint32_t>(static_cast<std::size_t>(my_pe_) * n_slots_);
  for (std::uint32_t i = 0; i < n_made_; ++i) {
    sim_.memory_.allow_payload(*sim_.memory_.slot(first + i));  // the memory will serve others
  }
}

// --- Time

void simulated_pe::enter(std::uint64_t cost_ns) noexcept {
  task_.now_ns += slowed(cost_ns);
  if (sim_.preempt_ > 0) preempt();
  sim_.scheduler_.synchronize(task_);
  if (!arrivals_.empty()) take_arrivals();
  if (!sim_.stacks_.has_guards()) sim_.check_stack(*this);
}

void simulated_pe::act_strictly_after(std::uint64_t cost_ns) noexcept {
  task_.now_ns += cost_ns;
  sim_.scheduler_.synchronize_strictly(task_);
  take_arrivals();
}

// Taking the core away for a while: others that were behind or level go first. Long enough for a few
// messages to go back and forth meanwhile.
void simulated_pe::preempt() noexcept {
  if (!sim_.preemptions_.chance(sim_.preempt_)) return;
  task_.now_ns += 1 + sim_.preemptions_.below(1000 + 4 * sim_.network_.one_way_ns(0));
}

std::uint64_t simulated_pe::slowed(std::uint64_t ns) const noexcept {
  return slowness_ == 1 ? ns : static_cast<std::uint64_t>(static_cast<double>(ns) * slowness_);
}

std::uint64_t simulated_pe::now_ns() noexcept {
  enter(call_ns);
  n_fruitless_ = 0;  // a program that looks at the clock may be about to stop because of it
  return task_.now_ns;
}

void simulated_pe::charge_ns(std::uint64_t ns) noexcept {
  if (ns == 0) return;
  task_.now_ns += slowed(ns);  // whatever this PE does next will wait for the others
  n_fruitless_ = 0;  // it computes
}

// --- Buffers

std::size_t simulated_pe::n_free() noexcept {
  enter(call_ns);
  const std::size_t n = n_free_ + (n_slots_ - n_made_);
  if (n == 0) found_nothing();
  return n;
}

buffer* simulated_pe::try_acquire() noexcept {
  enter(call_ns);
  if (free_first_ == world_memory::no_slot && n_made_ == n_slots_) {
    found_nothing();
    return nullptr;
  }
  if (sim_.refuse_ > 0 && n_refused_in_row_ < n_refusals_max && sim_.refusals_.chance(sim_.refuse_)) {
    ++n_refused_in_row_;
    was_refused_ = true;
    found_nothing();
    return nullptr;
  }
  n_refused_in_row_ = 0;
  if (free_first_ == world_memory::no_slot) {
    const auto number = static_cast<std::uint32_t>(static_cast<std::size_t>(my_pe_) * n_slots_ + n_made_++);
    buffer* const made = new (sim_.memory_.slot(number)) buffer;
    made->slot = number;
    holders_.push_back(static_cast<std::int32_t>(my_pe_));
    return made;
  }
  // The slot that came back last: its memory is the warmest, and untouched slots stay untouched.
  buffer* const taken = sim_.memory_.slot(free_first_);
  free_first_ = taken->next.load(std::memory_order_relaxed);
  --n_free_;
  holder(*taken) = static_cast<std::int32_t>(my_pe_);
  sim_.memory_.allow_payload(*taken);
  return taken;
}

double simulated_pe::ns_per_byte() const noexcept { return sim_.chosen_.sim.value.gap_per_byte_ns; }

double simulated_pe::ns_per_buffer() const noexcept {
  const sim_settings& model = sim_.chosen_.sim.value;
  return static_cast<double>(2 * model.overhead_ns + model.gap_ns);
}

void simulated_pe::post(buffer& full, pe_id target) noexcept {
  SHOAL_REQUIRE(target >= 0 && target < n_pes_);
  SHOAL_REQUIRE(full.header.bytes <= payload_bytes_);
  const bool slot_is_this_pes_to_post = sim_.memory_.owner(full.slot) == my_pe_ && holder(full) == my_pe_;
  SHOAL_REQUIRE(slot_is_this_pes_to_post);

  const bool is_to_self = target == my_pe_;
  enter(is_to_self ? call_ns : sim_.network_.overhead_ns());
  if ((full.header.flags & buffer_header::encoded) != 0) {
    // A network would not have carried what is left of the longer plain form, so nobody may find it there.
    std::memset(full.payload() + full.header.bytes, 0xa5, payload_bytes_ - full.header.bytes);
  }
  ++counts_.n_posted;
  full.header.source = static_cast<std::int32_t>(my_pe_);
  holder(full) = network_holds_it;
  sim_.memory_.forbid_payload(full);
  sim_.changed(task_, full.header.bytes);
  if (!is_to_self) {
    const std::uint64_t reach_ns = sim_.network_.send(my_pe_, target, simulation::wire_bytes(full), task_.now_ns);
    sim_.schedule(event_kind::landing, target, full.slot, reach_ns);
    return;
  }
  const std::uint64_t reach_ns = sim_.network_.send_to_self(my_pe_, task_.now_ns);
  if (reach_ns > task_.now_ns) {
    sim_.schedule(event_kind::delivery, target, full.slot, reach_ns);
  } else {
    append_ready(full);
    has_news_ = true;
  }
}

buffer* simulated_pe::poll() noexcept {
  enter(call_ns);
  if (n_ready_ == 0) {
    found_nothing();
    return nullptr;
  }
  buffer& oldest = *sim_.memory_.slot(ready_first_);
  ready_first_ = oldest.next.load(std::memory_order_relaxed);
  --n_ready_;
  // Somebody who takes one buffer and waits has not seen the others; see `wait`.
  has_news_ = has_news_ || n_ready_ > 0;
  ++counts_.n_received;
  holder(oldest) = static_cast<std::int32_t>(my_pe_);
  sim_.memory_.allow_payload(oldest);
  sim_.changed(task_, oldest.slot);
  if (oldest.header.source != my_pe_) task_.now_ns += slowed(sim_.network_.overhead_ns());
  return &oldest;
}

void simulated_pe::release(buffer& done) noexcept {
  const bool slot_is_this_pes_to_release = holder(done) == my_pe_;
  SHOAL_REQUIRE(slot_is_this_pes_to_release);
  enter(call_ns);
  sim_.memory_.forbid_payload(done);
  const pe_id owner = sim_.memory_.owner(done.slot);
  if (owner == my_pe_) {
    push_free(done);
    return;
  }
  holder(done) = network_holds_it;
  sim_.changed(task_, done.slot);
  sim_.schedule(event_kind::slot_back, owner, done.slot, sim_.network_.send_credit(task_.now_ns));
}

void simulated_pe::take_arrivals() noexcept {
  while (!arrivals_.empty() && arrivals_.front().time_ns <= task_.now_ns) {
    const arrival next = arrivals_.front();
    arrivals_.pop_front();
    has_news_ = true;
    switch (next.kind) {
      case arrival_kind::buffer: append_ready(*sim_.memory_.slot(next.slot)); break;
      case arrival_kind::slot: push_free(*sim_.memory_.slot(next.slot)); break;
      case arrival_kind::round_end: ++n_rounds_over_; break;
      case arrival_kind::touch: break;
    }
  }
}

void simulated_pe::append_ready(buffer& arrived) noexcept {
  if (n_ready_ == 0) {
    ready_first_ = arrived.slot;
  } else {
    sim_.memory_.slot(ready_last_)->next.store(arrived.slot, std::memory_order_relaxed);
  }
  ready_last_ = arrived.slot;
  ++n_ready_;
}

void simulated_pe::push_free(buffer& slot) noexcept {
  holder(slot) = nobody;
  slot.next.store(free_first_, std::memory_order_relaxed);
  free_first_ = slot.slot;
  ++n_free_;
}

std::int32_t& simulated_pe::holder(const buffer& slot) noexcept {
  return sim_.pe(sim_.memory_.owner(slot.slot)).holders_[slot.slot % n_slots_];
}

// --- Rounds

void simulated_pe::arrive(std::span<const std::byte> contribution, combine_function combine) noexcept {
  SHOAL_REQUIRE(contribution.size() <= round_bytes_max);
  const bool this_pe_has_seen_the_last_round_end = has_seen_round_end_;
  SHOAL_REQUIRE(this_pe_has_seen_the_last_round_end);
  enter(call_ns);
  if (combine == nullptr && !sim_.rounds_.agrees(contribution.size())) {
    end_job(status_failure, "arrives at a round of " + std::to_string(contribution.size()) +
                                " bytes where others gave " + std::to_string(sim_.rounds_.bytes()) +
                                ": all PEs must call the same collectives in the same order");
  }
  ++counts_.n_rounds;
  has_seen_round_end_ = false;
  sim_.changed(task_, n_rounds_arrived_);
  if (sim_.rounds_.arrive(n_rounds_arrived_++, my_pe_, contribution, combine, task_.now_ns)) {
    sim_.schedule(event_kind::round_end, my_pe_, 0, sim_.rounds_.ended_ns() + sim_.network_.round_ns());
  }
}

bool simulated_pe::is_round_complete() noexcept {
  enter(call_ns);
  has_seen_round_end_ = n_rounds_over_ == n_rounds_arrived_;
  if (!has_seen_round_end_) found_nothing();
  return has_seen_round_end_;
}

const std::byte* simulated_pe::round_result() noexcept {
  SHOAL_REQUIRE(n_rounds_arrived_ > 0 && has_seen_round_end_);
  return sim_.rounds_.result(n_rounds_arrived_ - 1);
}

const std::byte* simulated_pe::round_contribution(pe_id pe) noexcept {
  SHOAL_REQUIRE(n_rounds_arrived_ > 0 && has_seen_round_end_);
  SHOAL_REQUIRE(pe >= 0 && pe < n_pes_);
  return sim_.rounds_.contribution(n_rounds_arrived_ - 1, pe);
}

// --- Waiting

// Returns at once if anything has arrived since the last return, because the caller may have looked just
// before it did; blocks otherwise. No wake-up is lost, and a PE that calls `wait` again and again
// without taking what is there blocks at the second call, so that a stall is noticed.
void simulated_pe::wait(unsigned& patience) noexcept {
  ++patience;
  ++counts_.n_waits;
  enter(call_ns);
  if (!has_news_) {
    if (was_refused_) {
      found_nothing();
    } else {
      ++counts_.n_sleeps;
      if (arrivals_.empty()) {
        sim_.scheduler_.block(task_);
      } else {
        sim_.scheduler_.sleep_until(task_, arrivals_.front().time_ns);
      }
      take_arrivals();
    }
  }
  has_news_ = false;
  was_refused_ = false;
}

// Time in which a buffer could come a quarter of the way: a caller that pauses some dozens of times before
// it gives up waiting means a time in which its peers could have answered.
void simulated_pe::pause(unsigned& patience) noexcept {
  ++patience;
  ++counts_.n_waits;
  enter(has_news_ ? call_ns : call_ns + sim_.network_.latency_ns() / 4);
  if (!has_news_) found_nothing();
  has_news_ = false;
  was_refused_ = false;
}

void simulated_pe::found_nothing() noexcept {
  if (n_changes_seen_ != sim_.n_changes_) {
    n_changes_seen_ = sim_.n_changes_;
    n_fruitless_ = 0;
  }
  if (++n_fruitless_ < simulation::n_fruitless_per_look) return;
  sim_.suspect_endless_loop(*this);
  n_fruitless_ = 0;
}

// --- End

void simulated_pe::end_job(int status, std::string_view report) noexcept {
  sim_.end("shoal: PE " + std::to_string(my_pe_) + ": " + std::string(report) + " (sim: seed " +
               std::to_string(sim_.chosen_.sim.value.seed) + ", " + std::to_string(n_pes_) + " PEs)\n",
           status);
}

}  // namespace shoal::sim
