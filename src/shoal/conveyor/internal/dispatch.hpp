/// Makes all progress of a PE: delivers arrived buffers to inboxes and runs the sinks that are ready.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/departures.hpp"
#include "shoal/conveyor/internal/inbox.hpp"
#include "shoal/conveyor/internal/stopwatch.hpp"

namespace shoal::internal {

class stall_watch;

class dispatch {
public:
  /// `stalls` may be null: nobody looks for stalls.
  dispatch(substrate& backend, slot_pool& slots, departures& leaving, delivery& now, stopwatch& watch,
           stall_watch* stalls);
  /// Releases the buffers that no inbox took, if another exchange follows on this substrate.
  ~dispatch();
  dispatch(const dispatch&) = delete;
  dispatch& operator=(const dispatch&) = delete;

  /// Registers an inbox under its number on the wire, and delivers what arrived for it earlier.
  void enlist(std::uint64_t serial, inbox& in);
  void delist(std::uint64_t serial) noexcept;
  /// Drops buffers for inboxes numbered below `first`: an earlier world's conveyor left them in transit.
  void drop_below(std::uint64_t first) noexcept { first_serial_ = first; }
  /// From now on, enabled inboxes are delivered to by priority, one buffer at a time, relays first.
  void follow_guards() noexcept { follows_guards_ = true; }
  bool follows_guards() const noexcept { return follows_guards_; }
  /// While handlers are held, those of sinks with sessions do not run, and what arrives for them is parked, so that no PE waits
  /// for room because of them. For programs whose handlers run at some calls only; they use no guards. Local.
  void hold_handlers(bool holds) noexcept {
    holds_handlers_ = holds;
    if (holds) return;
    for (inbox* in : held_) in->mark_ready();
    held_.clear();
  }
  bool holds_handlers() const noexcept { return holds_handlers_; }
  /// Inboxes enter themselves here when they have buffers for their sinks.
  ready_list& ready() noexcept { return ready_; }

  /// Polls for arrived buffers, runs sinks over them, and sends spilled items as far as credits allow. Returns whether
  /// anything moved. Main program only. Local, does not wait.
  bool progress();

  /// A sending main program calls this once per buffer. Makes progress if so many buffers have arrived that their
  /// senders will soon run out of credits. Without it, a PE that never runs out of credits would keep sending while
  /// other PEs stall because it does not read their buffers. Does nothing in a handler.
  void take_turn();

  /// Consumes what this PE sent to itself through `in`, and what results from it, while it is in the cache. Main
  /// program only.
  void deliver_own(inbox& in);

  /// Posts overdue buffers. Consumes those that this PE sent to itself, to pass on or to handle. Main program only.
  void post_overdue();

  /// Waits for a while; called when `progress` found nothing to do. `patience` as in substrate::wait. Does not sleep
  /// while spills may still grow, or while a buffer of this PE will fall due.
  void idle(unsigned& patience, bool may_sleep = true);

  /// Notes a call of a program that has found nothing to do, the `n_idle_calls`-th in a row.
  void note_idle_call(unsigned n_idle_calls);

  /// True if nothing is spilled and no sink has a buffer left: this PE can do nothing more by itself. (Buffers for
  /// sessions that have not begun here do not count.)
  bool is_quiet() const noexcept { return slots_.n_blocks() == 0 && ready_.empty(); }

private:
  enum class amount : bool { all, one_buffer };

  void poll();
  bool take_arrived();
  bool deliver(inbox& in);
  bool deliver_one(inbox& in);
  bool deliver_timed(inbox& in, amount how_much);
  bool run_sink(inbox& in, amount how_much);
  bool deliver_ready();
  bool deliver_guarded();
  inbox* take_first_guarded() noexcept;
  bool is_blocked(const inbox& in) const { return slots_.n_blocks() != 0 && in.vertex().is_blocked(); }
  bool park(inbox& in);
  bool is_held(const inbox& in) const noexcept { return holds_handlers_ && in.consumer()->has_sessions(); }
  bool is_held_back() const noexcept { return slots_.n_blocks() != 0 && !ready_.empty(); }
  [[gnu::cold]] bool grow_spill();
  bool may_grow_later() const noexcept;
  void look_for_stall(bool is_in_loop);  // of the program
  [[gnu::cold]] bool deliver_blocked(bool is_any);
  inbox& take_ready() noexcept;

  substrate& backend_;
  slot_pool& slots_;
  departures& leaving_;
  delivery& now_;
  stopwatch& watch_;
  stall_watch* const stalls_;
  const std::size_t n_turn_;  // a sending main program takes its turn once this many buffers have arrived
  std::unordered_map<std::uint64_t, inbox*> inboxes_;  // by number on the wire; looked up, never iterated
  ready_list ready_;
  buffer_queue waiting_room_;  // buffers that have arrived and are not yet assigned to an inbox
  std::uint64_t first_serial_ = 0;
  bool holds_handlers_ = false;
  ready_list held_;  // inboxes that would be ready
  bool follows_guards_ = false;  // before any mailbox has a guard, none is looked at
  std::vector<buffer*> unclaimed_;  // for inboxes not yet constructed here, in order of arrival
  std::uint64_t held_back_since_ns_ = 0;  // since when only missing credits hold work back; 0 if they do not
};

}  // namespace shoal::internal
