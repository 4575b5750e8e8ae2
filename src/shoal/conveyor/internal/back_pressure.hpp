/// Decides what a send does when it finds no room: give up, wait, or spill. docs/design/back-pressure.md proves
/// that no PE waits for ever.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/departures.hpp"
#include "shoal/conveyor/internal/dispatch.hpp"
#include "shoal/conveyor/internal/outbox.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"
#include "shoal/conveyor/internal/stopwatch.hpp"

namespace shoal::internal {

class back_pressure {
public:
  /// A wait posts all open buffers after `n_turns_before_flush` turns that moved nothing, and does not sleep before. Most
  /// waits are shorter, and would only send buffers half empty.
  back_pressure(const slot_pool& slots, departures& leaving, dispatch& arriving, delivery& now, stopwatch& watch,
                spare_work_place& spare, unsigned n_turns_before_flush) noexcept
      : slots_(slots),
        leaving_(leaving),
        arriving_(arriving),
        now_(now),
        watch_(watch),
        spare_(spare),
        n_turns_before_flush_(n_turns_before_flush),
        n_to_oneself_per_turn_(
            static_cast<unsigned>(std::max<std::size_t>(1, slots.block_bytes() / bytes_to_oneself_max))) {}
  back_pressure(const back_pressure&) = delete;
  back_pressure& operator=(const back_pressure&) = delete;

  delivery& now() const noexcept { return now_; }

  /// Makes room for at least one item of `kind` on a link. False, only under `give_up`: no room now. Posts the open
  /// buffer if it is full. Under `wait`, may wait and run handlers. Inline, since a stream calls it for every buffer.
  bool make_room(outbox& out, link_end& link, const item_kind& kind, when_full policy) {
    if (out.cuts_room() && next_room(out, link, policy)) [[unlikely]]
      return true;
    // A loop: handlers that run during a wait may open this link and fill it.
    while (!out.make_room(link, kind)) {
      if (!open_buffer(out, out.links().index_of(link), policy)) return false;
    }
    return true;
  }

  /// Opens a record on a link, as outbox::make_record does. Null, only under `give_up`: no room now. `align`: at least 8.
  std::byte* make_record(outbox& out, link_end& link, const run_header& header, std::uint32_t align, when_full policy);

  /// Posts what is overdue. Under `wait`, also consumes what this PE sent to itself.
  void post_overdue(when_full policy);

  /// For reports: the inbox of the hop in which the main program waits for room, or null.
  const inbox* waiting_for_room() const noexcept { return waiting_for_room_; }

private:
  bool next_room(outbox& out, link_end& link, when_full policy);
  bool open_buffer(outbox& out, std::size_t link, when_full policy);
  void wait_for_room(outbox& out, std::size_t link);
  void spill(outbox& out, std::size_t link, bool is_apart);
  [[noreturn, gnu::cold]] void refuse_spill(const outbox& out) const;

  const slot_pool& slots_;
  departures& leaving_;
  dispatch& arriving_;
  delivery& now_;
  stopwatch& watch_;
  spare_work_place& spare_;
  const unsigned n_turns_before_flush_;
  // Buffers to oneself are shorter than slots, and a look at a network may take longer than their handlers. So it follows
  // as many as fill a slot.
  const unsigned n_to_oneself_per_turn_;
  unsigned n_to_oneself_ = 0;
  const inbox* waiting_for_room_ = nullptr;
};

}  // namespace shoal::internal
