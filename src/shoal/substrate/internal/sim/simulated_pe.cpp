#include "shoal/substrate/internal/sim/simulated_pe.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal::sim {
namespace {

// `refuse` must not keep a PE from its slots or control messages for ever.
constexpr unsigned n_refusals_max = 64;

}  // namespace

simulated_pe::simulated_pe(job_parts& job, stall_proof& stalls, pe_id my_pe, double slowness, fiber::entry run,
                           void* argument)
    : substrate(my_pe, static_cast<pe_id>(job.memory.n_pes())),
      job_(job),
      time_(job, *this, my_pe, slowness, run, argument),
      slots_(job.memory, job.custody, my_pe),
      controls_(job.controls, my_pe),
      fruitless_(job.past, stalls, my_pe),
      heap_(job, time_, fruitless_, my_pe),
      meter_(job.memory.payload_bytes(), !job.cores.are_shared()),
      beside_(job, stalls, *this, time_) {
  payload_bytes_ = job.memory.payload_bytes();
  n_slots_ = job.memory.n_slots();
  know_links(links_of(job.chosen));
  time_.count_polls_by(fruitless_);
}

std::uint64_t latest_ns(const simulated_pes& pes) noexcept {
  std::uint64_t latest = 0;
  for (const auto& each : pes) latest = std::max(latest, each->time().now_ns());
  return latest;
}

void simulated_pe::take_in(const arrival& next) noexcept {
  has_news_ = true;
  switch (next.what) {
    case arrival::kind::buffer: slots_.append_arrived(*job_.memory.slot(next.subject)); break;
    case arrival::kind::slot:
      time_return(*job_.memory.slot(next.subject), next.time_ns);
      slots_.put_back(*job_.memory.slot(next.subject));
      ++n_returned_;
      break;
    case arrival::kind::round_end: ++n_rounds_over_; break;
    case arrival::kind::touch: break;
    case arrival::kind::control: controls_.append_arrived(next.subject); break;
    case arrival::kind::control_place: controls_.take_back_place(); break;
    case arrival::kind::probe:
      meter_.note_return(link_meter::size::small, holding_times::unknown, next.time_ns, *this);
      break;
  }
}

void simulated_pe::time_post(buffer& full, pe_id target, std::uint64_t begin_ns) noexcept {
  link_meter::unmark(full);
  full.fingerprint = 0;
  if (!job_.links.are_apart(my_pe_, target)) return;
  counts_.n_bytes_away += full.header.bytes;
  full.fingerprint = full.header.bytes;  // for time_return; the receiver may decode its items in place
  meter_.mark(full);
  const bool is_large = (full.header.flags & buffer_header::timed_large) != 0;
  if (is_large && meter_.wants_probe(time_.now_ns())) probe(target);
  meter_.note_under_way(full.header.bytes);
  if (is_timed(full)) meter_.note_sent(full, begin_ns, time_.now_ns());
}

// Its answer needs no time of the target's program, and is taken in when it is here.
void simulated_pe::probe(pe_id target) noexcept {
  const std::uint64_t begin_ns = time_.now_ns();
  time_.compute(job_.links.overhead_ns(my_pe_, target));
  const std::uint64_t end_ns = time_.now_ns();
  const std::uint64_t there_ns = job_.links.send_alone(my_pe_, target, network::wire_bytes(0), end_ns);
  job_.schedule(event_kind::probe_back, my_pe_, 0, job_.links.send_credit(target, my_pe_, there_ns));
  meter_.note_probe(begin_ns, end_ns);
}

void simulated_pe::time_return(buffer& slot, std::uint64_t now_ns) noexcept {
  meter_.note_back(slot.fingerprint);
  if (is_timed(slot)) meter_.note_return(link_meter::size_of(slot), slot.held_ns, now_ns, *this);
}

std::string simulated_pe::describe_wait() const {
  const std::size_t n_free = slots_.n_free() + (stall_asks_ == nullptr ? 0 : stall_asks_->n_free_slots());
  return (stall_asks_ != nullptr ? stall_asks_->describe_wait() : "it did not say for what") +
         "; unread buffers: " + std::to_string(slots_.n_arrived()) + ", free slots: " + std::to_string(n_free) +
         " of " + std::to_string(n_slots_);
}

stack_fault simulated_pe::stack_fault_at(const void* address) const noexcept {
  const auto mine = static_cast<std::size_t>(my_pe_);
  if (job_.stacks.guard_index_of(address) == mine) return {-1, job_.stacks.stack(mine).size()};
  const std::size_t owner = job_.locks_stacks ? job_.stacks.index_of(address) : fiber_stacks::none;
  return {owner == fiber_stacks::none || owner == mine ? -1 : static_cast<pe_id>(owner), 0};
}

// --- Time

std::uint64_t simulated_pe::stopwatch_ns() noexcept {
  if (task* const self = beside_.running(); self != nullptr) return beside_.read_ns(*self);
  return time_.read_ns();
}

std::uint64_t simulated_pe::now_ns() noexcept {
  if (task* const self = beside_.running(); self != nullptr) {
    beside_.take_turn();
    return beside_.read_ns(*self);
  }
  const auto inside = time_.enter(pe_time::call_ns);
  fruitless_.reset();  // a program that reads the clock may stop because of it
  return time_.now_ns();
}

void simulated_pe::charge_ns(std::uint64_t ns) noexcept {
  if (ns == 0) return;
  if (task* const self = beside_.running(); self != nullptr) return beside_.charge(*self, ns);
  if (!job_.clock.is_on()) time_.compute(ns);  // this PE's next call will wait for the others
  fruitless_.reset();  // it computes
}

void simulated_pe::charge_items(item_work what, std::uint64_t n) noexcept {
  const item_figures& item = job_.chosen.sim.value.item;
  double each_ns = 0;
  switch (what) {
    case item_work::push: each_ns = item.push_ns; break;
    case item_work::relay: each_ns = item.relay_ns; break;
    case item_work::handling: each_ns = item.handling_ns; break;
  }
  charge_ns(static_cast<std::uint64_t>(static_cast<double>(n) * each_ns));
}

// `refuse`: under hostile conditions, refuses although it could succeed.
bool simulated_pe::is_refused() noexcept {
  if (n_refused_in_row_ >= n_refusals_max || !job_.refusal.strikes()) {
    n_refused_in_row_ = 0;
    return false;
  }
  ++n_refused_in_row_;
  was_refused_ = true;
  fruitless_.add();
  return true;
}

// --- Buffers

std::size_t simulated_pe::n_free() noexcept {
  const auto inside = time_.enter(pe_time::call_ns);
  const std::size_t n = slots_.n_free();
  if (n == 0) fruitless_.add();
  return n;
}

buffer* simulated_pe::try_acquire() noexcept {
  const auto inside = time_.enter(pe_time::call_ns);
  if (slots_.n_free() == 0) {
    fruitless_.add();
    return nullptr;
  }
  return is_refused() ? nullptr : slots_.take_free();
}

void simulated_pe::post(buffer& full, pe_id target) noexcept {
  SHOAL_REQUIRE(target >= 0 && target < n_pes_);
  SHOAL_REQUIRE(full.header.bytes <= payload_bytes_);
  const bool slot_is_this_pes_to_post = job_.memory.owner(full.slot) == my_pe_ && job_.custody.is_held_by(my_pe_, full);
  SHOAL_REQUIRE(slot_is_this_pes_to_post);

  const bool is_to_self = target == my_pe_;
  const std::uint64_t begin_ns = time_.read_ns();
  const auto inside =
      time_.enter(is_to_self ? pe_time::call_ns : job_.links.overhead_ns(my_pe_, target, full.header.bytes));
  if ((full.header.flags & buffer_header::encoded) != 0) {
    // A network would not carry the rest of the longer plain form, so no PE may find it there.
    std::memset(full.payload() + full.header.bytes, 0xa5, payload_bytes_ - full.header.bytes);
  }
  ++counts_.n_posted;
  job_.custody.give_to_network(full);
  time_post(full, target, begin_ns);
  const std::uint64_t now_ns = time_.now_ns();
  job_.past.note(my_pe_, now_ns, full.header.bytes);
  if (!is_to_self) {
    const std::uint64_t reach_ns = job_.links.send(my_pe_, target, network::wire_bytes(full.header.bytes), now_ns);
    job_.schedule(event_kind::landing, target, full.slot, reach_ns);
    return;
  }
  const std::uint64_t reach_ns = job_.links.send_to_self(my_pe_, now_ns);
  if (reach_ns > now_ns) {
    job_.schedule(event_kind::delivery, target, full.slot, reach_ns);
  } else {
    slots_.append_arrived(full);
    has_news_ = true;
  }
}

buffer* simulated_pe::poll() noexcept {
  const auto inside = time_.enter(pe_time::call_ns);
  if (meter_.wants_looks()) meter_.note_look(time_.now_ns());
  buffer* const oldest = slots_.take_arrived();
  if (oldest == nullptr) {
    holding_.note_none(time_.now_ns());
    fruitless_.add();
    return nullptr;
  }
  // A PE that takes one buffer and waits has not seen the others; see `wait`.
  has_news_ = has_news_ || slots_.n_arrived() > 0;
  ++counts_.n_received;
  job_.past.note(my_pe_, time_.now_ns(), oldest->slot);
  if (is_timed(*oldest)) holding_.note_arrival(*oldest, time_.now_ns());
  if (const pe_id source = job_.memory.owner(oldest->slot); source != my_pe_) {
    time_.compute(job_.links.overhead_ns(source, my_pe_, oldest->header.bytes));
  }
  return oldest;
}

void simulated_pe::release(buffer& done) noexcept {
  const bool slot_is_this_pes_to_release = job_.custody.is_held_by(my_pe_, done);
  SHOAL_REQUIRE(slot_is_this_pes_to_release);
  const auto inside = time_.enter(pe_time::call_ns);
  const pe_id owner = job_.memory.owner(done.slot);
  if (owner == my_pe_) return slots_.put_back(done);
  ++n_released_;
  if (is_timed(done)) done.held_ns = holding_times::until(time_.now_ns(), done.held_ns);
  job_.custody.give_to_network(done);
  job_.past.note(my_pe_, time_.now_ns(), done.slot);
  job_.schedule(event_kind::slot_back, owner, done.slot, job_.links.send_credit(my_pe_, owner, time_.now_ns()));
}

// --- Control messages

bool simulated_pe::try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept {
  SHOAL_REQUIRE(target >= 0 && target < n_pes_);
  SHOAL_REQUIRE(bytes.size() <= control_bytes_max);
  const bool is_to_self = target == my_pe_;
  const auto inside = time_.enter(is_to_self ? pe_time::call_ns : job_.links.overhead_ns(my_pe_, target));
  if (!controls_.has_place()) {
    fruitless_.add();
    return false;
  }
  if (is_refused()) return false;
  const std::uint64_t now_ns = time_.now_ns();
  const std::uint32_t number = controls_.send(bytes);
  job_.past.note(my_pe_, now_ns, bytes.size());
  if (!is_to_self) {
    const std::uint64_t reach_ns = job_.links.send_alone(my_pe_, target, network::wire_bytes(bytes.size()), now_ns);
    job_.schedule(event_kind::control_landing, target, number, reach_ns);
    return true;
  }
  const std::uint64_t reach_ns = job_.links.send_alone_to_self(now_ns);
  if (reach_ns > now_ns) {
    job_.schedule(event_kind::control_delivery, target, number, reach_ns);
  } else {
    controls_.append_arrived(number);
    has_news_ = true;
  }
  return true;
}

bool simulated_pe::poll_control(control_message& into) noexcept {
  const auto inside = time_.enter(pe_time::call_ns);
  if (!controls_.take_arrived(into)) {
    fruitless_.add();
    return false;
  }
  has_news_ = has_news_ || controls_.has_arrived();  // as in `poll`
  job_.past.note(my_pe_, time_.now_ns(), static_cast<std::uint64_t>(into.source));
  if (into.source == my_pe_) {
    controls_.take_back_place();
  } else {
    job_.schedule(event_kind::control_place, into.source, 0,
                  job_.links.send_credit(my_pe_, into.source, time_.now_ns()));
    time_.compute(job_.links.overhead_ns(into.source, my_pe_));
  }
  return true;
}

// --- Rounds

void simulated_pe::arrive(std::span<const std::byte> contribution, combine_function combine) noexcept {
  SHOAL_REQUIRE(contribution.size() <= round_bytes_max);
  const bool this_pe_has_seen_the_last_round_end = has_seen_round_end_;
  SHOAL_REQUIRE(this_pe_has_seen_the_last_round_end);
  const auto inside = time_.enter(pe_time::call_ns);
  if (combine == nullptr && !job_.collective.agrees(contribution.size())) {
    end_job(status_failure, "arrives at a round of " + std::to_string(contribution.size()) +
                                " bytes where others gave " + std::to_string(job_.collective.bytes()) +
                                ": all PEs must call the same collectives in the same order");
  }
  ++counts_.n_rounds;
  has_seen_round_end_ = false;
  job_.past.note(my_pe_, time_.now_ns(), n_rounds_arrived_);
  if (job_.collective.arrive(n_rounds_arrived_++, my_pe_, contribution, combine, time_.now_ns())) {
    job_.schedule(event_kind::round_end, my_pe_, 0,
                  job_.collective.ended_ns() + job_.links.round_ns(job_.collective.bytes()));
  }
}

bool simulated_pe::is_round_complete() noexcept {
  const auto inside = time_.enter(pe_time::call_ns);
  has_seen_round_end_ = n_rounds_over_ == n_rounds_arrived_;
  if (!has_seen_round_end_) fruitless_.add();
  return has_seen_round_end_;
}

const std::byte* simulated_pe::round_result() noexcept {
  SHOAL_REQUIRE(n_rounds_arrived_ > 0 && has_seen_round_end_);
  return job_.collective.result(n_rounds_arrived_ - 1);
}

const std::byte* simulated_pe::round_contribution(pe_id pe) noexcept {
  SHOAL_REQUIRE(n_rounds_arrived_ > 0 && has_seen_round_end_);
  SHOAL_REQUIRE(pe >= 0 && pe < n_pes_);
  return job_.collective.contribution(n_rounds_arrived_ - 1, pe);
}

// --- Waiting

// Returns at once if anything has arrived since the last return, because the caller may have looked just before;
// otherwise blocks. So no wake-up is lost, and a PE that keeps calling `wait` without taking what has arrived blocks at
// the second call, which reveals the stall.
void simulated_pe::wait(unsigned& patience) noexcept {
  ++patience;
  ++counts_.n_waits;
  const auto inside = time_.enter(pe_time::call_ns);
  if (!has_news_) {
    if (was_refused_) {
      fruitless_.add();
    } else {
      ++counts_.n_sleeps;
      time_.sleep_until_arrival();
    }
  }
  has_news_ = false;
  was_refused_ = false;
}

// Takes a quarter of the time that a buffer needs: a caller that pauses some dozens of times before it gives up expects
// that its peers could answer in that time.
void simulated_pe::pause(unsigned& patience) noexcept {
  ++patience;
  ++counts_.n_waits;
  if (!has_news_) time_.idle(job_.links.usual_latency_ns() / 4);
  const auto inside = time_.enter(pe_time::call_ns);
  if (!has_news_) fruitless_.add();
  has_news_ = false;
  was_refused_ = false;
}

}  // namespace shoal::internal::sim
