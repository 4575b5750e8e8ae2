#include "shoal/conveyor/internal/back_pressure.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

// The link's room may have been cut short, before its buffer is full.
bool back_pressure::next_room(outbox& out, link_end& link, when_full policy) {
  if (out.next_room(link)) return true;
  if (out.latency_ns() != 0) post_overdue(policy);
  return false;
}

void back_pressure::post_overdue(when_full policy) {
  policy == when_full::wait ? arriving_.post_overdue() : leaving_.post_overdue();
}

std::byte* back_pressure::make_record(outbox& out, link_end& link, const run_header& header, std::uint32_t align,
                                      when_full policy) {
  if (out.latency_ns() != 0) leaving_.post_overdue();
  for (;;) {
    if (std::byte* const begin = out.make_record(link, header, align)) return begin;
    if (!open_buffer(out, out.links().index_of(link), policy)) return nullptr;
  }
}

// Opens a buffer on a link that has none.
bool back_pressure::open_buffer(outbox& out, std::size_t link, when_full policy) {
  if (policy == when_full::wait) {
    SHOAL_ASSERT(now_.current() == delivery::state::main_program);
    const bool is_own = out.is_own(link) && out.own().consumer() != nullptr;
    if (!is_own || ++n_to_oneself_ % n_to_oneself_per_turn_ == 0) arriving_.take_turn();
    if (is_own && !out.has_open(link)) arriving_.deliver_own(out.own());
    if (out.has_open(link)) {  // a handler sent to this very link
      if (out.is_spilling(link)) wait_for_room(out, link);
      return true;
    }
  }
  if (out.open_slot(link)) return true;
  leaving_.free_a_slot(out);
  switch (policy) {
    case when_full::give_up: return false;
    case when_full::wait: wait_for_room(out, link); return true;
    case when_full::spill: spill(out, link, false); return true;
    case when_full::spill_apart: spill(out, link, true); return true;
    case when_full::overrun_apart: out.open_block(link, true); return true;
  }
  return false;
}

void back_pressure::refuse_spill(const outbox& out) const {
  const std::size_t n_parked = slots_.copy_bytes();
  end_job(
      status_failure,
      "handlers sent " + std::to_string(slots_.n_blocks() * slots_.block_bytes() >> 10) +
          " KiB more than their receivers accept (the last to " + out.own().describe() + ")" +
          (n_parked == 0 ? "" : ", and " + std::to_string(n_parked >> 10) + " KiB wait here until handlers may run") +
          "; " + now_.running()->consumer()->how_to_send_less() + ", or raise SHOAL_MEMORY");
}

// A handler cannot keep its item, so the item goes beyond the credits, into memory of this PE, and the graph notes the
// edge. The running sink stops after the current item.
void back_pressure::spill(outbox& out, std::size_t link, bool is_apart) {
  now_.running()->vertex().note_edge(out.own().vertex());
  if (!out.open_block(link, is_apart)) refuse_spill(out);
  now_.stop();
}

// Waits until the link has an open slot and no older item waits for one. What it waits for may depend on what lies here
// in open buffers, or on the end of another mailbox: something that enables the mailbox that has no room.
void back_pressure::wait_for_room(outbox& out, std::size_t link) {
  out.count_wait();
  const stopwatch::lap its(watch_, activity::waiting);
  waiting_for_room_ = &out.own();
  for (unsigned patience = 0;;) {
    const bool has_moved = arriving_.progress();
    // Handlers that ran meanwhile may have opened the link.
    if (out.has_open(link) ? !out.is_spilling(link) : out.open_slot(link)) break;
    if (has_moved || spare_.settle() || (patience >= n_turns_before_flush_ && leaving_.flush())) {
      patience = 0;
    } else if (!leaving_.free_a_slot(out)) {
      // A sleeper would be woken by nobody whom its own open buffers keep waiting.
      arriving_.idle(patience, patience >= n_turns_before_flush_);
    }
  }
  waiting_for_room_ = nullptr;
}

}  // namespace shoal::internal
