/// Brings arrived buffers to inboxes and runs the sinks of those that are ready: all progress of a PE.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shoal/conveyor/delivery.hpp"
#include "shoal/conveyor/departures.hpp"
#include "shoal/conveyor/inbox.hpp"

namespace shoal {

class dispatch {
public:
  dispatch(substrate& machine, slot_pool& slots, departures& leaving, delivery& now);
  /// Gives back what arrived for nobody, if another exchange follows on this substrate.
  ~dispatch();
  dispatch(const dispatch&) = delete;
  dispatch& operator=(const dispatch&) = delete;

  /// Enters an inbox under its number on the wire; what came for it before it was there goes to it.
  void enlist(std::uint32_t serial, inbox& in);
  void delist(std::uint32_t serial) noexcept;
  /// Drops what comes for inboxes with numbers below `first`: a conveyor of an earlier world left it under way.
  void drop_below(std::uint32_t first) noexcept { first_serial_ = first; }
  /// Where inboxes enter themselves when they have buffers for their sinks.
  ready_list& ready() noexcept { return ready_; }

  /// Takes in what arrived and runs sinks over it; sends what was spilled as far as credits go. Returns
  /// whether anything moved. Main program only. Local, does not wait.
  bool progress();

  /// Called by a main program that sends, once per buffer: makes progress if so much has arrived here that its senders
  /// will soon be out of credits. Otherwise a PE that is never out of credits itself would send on while another, whose
  /// buffers it does not read, stands still. Does nothing in a handler.
  void take_turn();

  /// Consumes what this PE sent to itself through `in`, and what came of it, while it is in the cache. Main program
  /// only.
  void deliver_own(inbox& in);

  /// Posts what is overdue; what of it this PE sent to itself, to pass on or to handle, is consumed. Main program only.
  void post_overdue();

  /// Called when progress found nothing to do: politely lets time pass; `patience` as in substrate::wait. May wait, but
  /// not while work is held back only for lack of credits, or something of this PE falls due.
  void idle(unsigned& patience);

  /// True if nothing is spilled and no sink has a buffer left to consume: this PE can do nothing more by
  /// itself. (Buffers for sessions that have not begun here do not count.)
  bool is_quiet() const noexcept { return slots_.n_blocks() == 0 && ready_.empty(); }

private:
  void poll();
  bool take_arrived();
  bool deliver(inbox& in);
  bool deliver_ready();
  bool is_blocked(const inbox& in) const { return slots_.n_blocks() != 0 && in.node().is_blocked(); }
  bool is_held_back() const noexcept { return slots_.n_blocks() != 0 && !ready_.empty(); }
  bool grow_spill();
  bool deliver_blocked(bool is_any);
  inbox& take_ready() noexcept;

  substrate& machine_;
  slot_pool& slots_;
  departures& leaving_;
  delivery& now_;
  const std::size_t n_turn_;  // arrived buffers at which a sending main program takes its turn
  std::unordered_map<std::uint32_t, inbox*> inboxes_;  // by serial number; looked up, never iterated
  ready_list ready_;
  buffer_queue waiting_room_;  // buffers of other PEs that no inbox has been given yet
  std::uint32_t first_serial_ = 0;
  std::vector<buffer*> unclaimed_;  // for inboxes not constructed here yet, in order of arrival
  std::uint64_t held_back_since_ns_ = 0;  // when only the lack of credits began to hold us back; 0: it does not
};

}  // namespace shoal
