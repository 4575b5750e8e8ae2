#include "shoal/conveyor/internal/dispatch.hpp"

#include <algorithm>
#include <cstdint>

#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"

namespace shoal::internal {
namespace {

// How long missing credits hold work back before spills grow (grow_spill).
constexpr std::uint64_t growth_after_ns = 50'000;
constexpr std::uint64_t any_growth_after_ns = 2'000'000;

}  // namespace

dispatch::dispatch(substrate& backend, slot_pool& slots, departures& leaving, delivery& now, stopwatch& watch,
                   stall_watch* stalls)
    : backend_(backend),
      slots_(slots),
      leaving_(leaving),
      now_(now),
      watch_(watch),
      stalls_(stalls),
      n_turn_(std::max<std::size_t>(1, backend.n_slots() / 8)) {}

dispatch::~dispatch() {
  if (!slots_.is_followed()) return;
  while (!waiting_room_.empty()) slots_.give_back(waiting_room_.pop());
  for (buffer* b : unclaimed_) slots_.give_back(*b);
}

void dispatch::enlist(std::uint64_t serial, inbox& in) {
  inboxes_.emplace(serial, &in);
  const auto is_its = [&](buffer* b) { return b->header.mailbox == serial; };
  for (buffer* b : unclaimed_) {
    if (is_its(b)) in.deliver(*b);
  }
  std::erase_if(unclaimed_, is_its);
}

void dispatch::delist(std::uint64_t serial) noexcept {
  const auto found = inboxes_.find(serial);
  if (found == inboxes_.end()) return;
  std::erase(held_, found->second);
  inboxes_.erase(found);
}

// --- Arrival

void dispatch::poll() {
  while (buffer* b = backend_.poll()) waiting_room_.push(*b);
}

bool dispatch::take_arrived() {
  poll();
  const bool has_moved = !waiting_room_.empty();
  while (!waiting_room_.empty()) {
    buffer& b = waiting_room_.pop();
    SHOAL_ASSERT(b.header.version == buffer_header::current_version);
    const auto found = inboxes_.find(b.header.mailbox);
    if (found != inboxes_.end()) {
      found->second->deliver(b);
    } else if (b.header.mailbox < first_serial_) {
      slots_.give_back(b);
    } else {
      unclaimed_.push_back(&b);
    }
  }
  return has_moved;
}

// --- Sinks

// Runs the sink until the inbox is empty or a handler exceeded the credits or disabled it. Always inline: deliver calls
// it for every buffer.
[[gnu::always_inline]] inline bool dispatch::run_sink(inbox& in, amount how_much) {
  bool has_moved = false;
  now_.begin(in);
  while (!in.pending().empty()) {
    now_.next_buffer();
    const bool is_used_up = in.consume_front();
    SHOAL_ASSERT(is_used_up || now_.must_stop());
    has_moved = true;
    if (now_.must_stop() || how_much == amount::one_buffer) break;
    leaving_.post_overdue();
  }
  now_.finish();
  return has_moved;
}

bool dispatch::deliver(inbox& in) {
  if (watch_.is_on()) [[unlikely]]
    return deliver_timed(in, amount::all);
  return run_sink(in, amount::all);
}

bool dispatch::deliver_one(inbox& in) {
  return watch_.is_on() ? deliver_timed(in, amount::one_buffer) : run_sink(in, amount::one_buffer);
}

// Only relays' inboxes may not overrun the credits.
[[gnu::noinline]] bool dispatch::deliver_timed(inbox& in, amount how_much) {
  const activity before = watch_.change_to(in.vertex().may_overrun() ? activity::handlers : activity::relays);
  const std::uint64_t begin_ns = watch_.since_ns();
  const bool has_moved = run_sink(in, how_much);
  watch_.change_to(before);
  in.add_handling(watch_.since_ns() - begin_ns);
  return has_moved;
}

inbox& dispatch::take_ready() noexcept {
  inbox& in = *ready_.front();
  ready_.pop_front();
  in.mark_taken();
  return in;
}

bool dispatch::deliver_ready() {
  bool has_moved = false;
  for (std::size_t n = ready_.size(); n > 0; --n) {
    if (follows_guards_) [[unlikely]]  // perhaps since the last handler
      return deliver_guarded() || has_moved;
    inbox& in = take_ready();
    if (is_held(in)) [[unlikely]] {
      has_moved |= park(in);
      continue;
    }
    in.unpark();
    if (in.pending().empty()) continue;  // deliver_own has emptied it
    if (!is_blocked(in)) has_moved |= deliver(in);
    if (!in.pending().empty()) in.mark_ready();
  }
  return has_moved;
}

bool dispatch::park(inbox& in) {
  if (std::ranges::find(held_, &in) == held_.end()) held_.push_back(&in);
  return in.park();
}

// About as many buffers as lie here now, since handlers may send to this PE for ever. What arrives or falls due meanwhile may
// go first. One look more than there are buffers, so that inboxes that are empty leave the list.
[[gnu::noinline]] bool dispatch::deliver_guarded() {
  std::size_t n_left = 1;
  for (const inbox* in : ready_) n_left += in->pending().size();
  bool has_moved = false;
  for (; n_left > 0; --n_left) {
    leaving_.post_overdue();
    take_arrived();
    inbox* const in = take_first_guarded();
    if (in == nullptr) break;
    has_moved |= deliver_one(*in);
    if (!in->pending().empty()) in->mark_ready();
  }
  return has_moved;
}

// The first of those with the greatest priority; null: none may run. A relay serves other PEs, so it goes before all
// handlers of this one.
inbox* dispatch::take_first_guarded() noexcept {
  const auto rank = [](const inbox& in) { return in.vertex().may_overrun() ? in.priority() : INT64_MAX; };
  inbox* first = nullptr;
  for (std::size_t n = ready_.size(); n > 0; --n) {
    inbox& in = take_ready();
    if (is_held(in)) {
      park(in);
      continue;
    }
    in.unpark();
    if (!in.is_enabled() || in.pending().empty()) continue;
    in.mark_ready();  // behind the others, so that all keep their order
    if (!is_blocked(in) && (first == nullptr || rank(in) > rank(*first))) first = &in;
  }
  for (std::size_t n = first == nullptr ? 0 : ready_.size(); n > 0; --n) {
    if (inbox& in = take_ready(); &in != first) in.mark_ready();
  }
  return first;
}

bool dispatch::progress() {
  SHOAL_ASSERT(now_.current() == delivery::state::main_program);
  leaving_.post_overdue();
  bool has_moved = take_arrived();
  if (slots_.n_blocks() != 0) {
    slots_.reclaim();
    has_moved |= leaving_.drain_spills();
  }
  if (!ready_.empty()) has_moved |= deliver_ready();
  if (has_moved || !is_held_back()) {
    held_back_since_ns_ = 0;
    return has_moved;
  }
  return grow_spill();
}

void dispatch::take_turn() {
  if (now_.running() != nullptr) return;
  poll();
  if (waiting_room_.size() >= n_turn_) progress();
}

void dispatch::deliver_own(inbox& in) {
  if (follows_guards_) [[unlikely]] {
    deliver_guarded();
    return;
  }
  if (is_blocked(in) || is_held(in)) return;
  in.unpark();
  deliver(in);
  if (!ready_.empty()) deliver_ready();
}

void dispatch::post_overdue() {
  leaving_.post_overdue();
  if (!ready_.empty()) deliver_ready();
}

void dispatch::note_idle_call(unsigned n_idle_calls) {
  if (stalls_ == nullptr || !stalls_->note(n_idle_calls)) return;
  slots_.reclaim();  // as in idle
  look_for_stall(now_.collective_call() == nullptr);
}

void dispatch::idle(unsigned& patience, bool may_sleep) {
  backend_.answer_question();
  // Slots that came back count as news until they are collected: no wait would ever sleep.
  slots_.reclaim();
  if (stalls_ != nullptr && stalls_->note(patience)) [[unlikely]]
    look_for_stall(false);
  // Nothing wakes a sleeping PE when its spills may grow, or when one of its own buffers falls due.
  if (!may_sleep || may_grow_later() || leaving_.has_due()) {
    backend_.pause(patience);
  } else {
    backend_.wait(patience);
  }
}

void dispatch::look_for_stall(bool is_in_loop) {
  stalls_->look(is_in_loop ? stall_watch::place::loop : stall_watch::place::call,
                may_grow_later() || leaving_.has_due());
}

// Work that has been held back for long has been offered to any mailbox since, in vain.
bool dispatch::may_grow_later() const noexcept {
  return is_held_back() &&
         (held_back_since_ns_ == 0 || backend_.now_ns() - held_back_since_ns_ < 2 * any_growth_after_ns);
}

// --- Growth

// Called when only missing credits hold work back. On a cycle of handlers that send to one another, no other PE's
// progress may ever free us. So after some time, accept input although the spill will grow. A PE knows only the edges
// that it noted itself, and a cycle may span PEs. So after more time, accept input for any mailbox, and presume it on a
// cycle for the rest of its superstep.
bool dispatch::grow_spill() {
  const std::uint64_t now_ns = backend_.now_ns();
  if (held_back_since_ns_ == 0) held_back_since_ns_ = now_ns;
  const std::uint64_t held_ns = now_ns - held_back_since_ns_;
  return held_ns >= growth_after_ns && deliver_blocked(held_ns >= any_growth_after_ns);
}

bool dispatch::deliver_blocked(bool is_any) {
  for (std::size_t n = ready_.size(); n > 0; --n) {
    inbox& in = take_ready();
    spill_vertex& vertex = in.vertex();
    const bool has_moved = vertex.may_overrun() && in.is_enabled() && !is_held(in) && !in.pending().empty() &&
                           (is_any || vertex.is_on_cycle()) && deliver(in);
    if (has_moved && is_any) vertex.presume_on_cycle();
    if (!in.pending().empty()) in.mark_ready();
    if (has_moved) return true;
  }
  return false;
}

}  // namespace shoal::internal
