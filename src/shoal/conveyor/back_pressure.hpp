/// What comes of a send that finds no room: give up, wait, or spill. docs/design/back-pressure.md has the argument why
/// nothing waits for ever.
#pragma once

#include <cstdint>

#include "shoal/conveyor/delivery.hpp"
#include "shoal/conveyor/departures.hpp"
#include "shoal/conveyor/dispatch.hpp"
#include "shoal/conveyor/outbox.hpp"

namespace shoal {

/// What a sender may do when there is no room.
enum class when_full : std::uint8_t {
  give_up,  // say so: a conveyor's push, an early-exit mailbox
  wait,  // the main program: let handlers run until there is room
  spill,  // a handler: it may neither wait nor run another one
};

class back_pressure {
public:
  back_pressure(const slot_pool& slots, departures& leaving, dispatch& arriving, delivery& now) noexcept
      : slots_(slots), leaving_(leaving), arriving_(arriving), now_(now) {}
  back_pressure(const back_pressure&) = delete;
  back_pressure& operator=(const back_pressure&) = delete;

  delivery& now() const noexcept { return now_; }

  /// What a program's send does when there is no room: the main program waits, a handler spills.
  when_full policy_now() const noexcept { return now_.running() == nullptr ? when_full::wait : when_full::spill; }

  /// The ends of a hop; `own`: its inbox, for items to this PE itself. Two words, to be passed in registers.
  struct hop_ends {
    outbox& out;
    inbox& own;
  };

  /// Makes room for at least one item of `kind` on a link. False, only under give_up: not now. Posts the open buffer when
  /// it is full. May wait, and run handlers, under `wait`.
  bool make_room(hop_ends hop, link_end& link, const item_kind& kind, when_full policy);

  /// Opens a record on a link, as outbox::make_record. Null, only under give_up: not now.
  std::byte* make_record(hop_ends hop, link_end& link, const run_header& header, std::uint32_t align, when_full policy);

  /// The inbox of the hop that the main program waits for room in, or null. For reports.
  const inbox* waiting_for_room() const noexcept { return waiting_for_room_; }

private:
  bool open_buffer(hop_ends hop, std::size_t link, when_full policy);
  void wait_for_room(hop_ends hop, std::size_t link);
  void spill(hop_ends hop, std::size_t link);

  const slot_pool& slots_;
  departures& leaving_;
  dispatch& arriving_;
  delivery& now_;
  const inbox* waiting_for_room_ = nullptr;
};

}  // namespace shoal
