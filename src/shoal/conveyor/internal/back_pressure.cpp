#include "shoal/conveyor/internal/back_pressure.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

bool back_pressure::make_room(hop_ends hop, link_end& link, const item_kind& kind, when_full policy) {
  if (hop.out.cuts_room()) [[unlikely]] {
    if (hop.out.next_room(link)) return true;
    if (hop.out.latency_ns() != 0) policy == when_full::wait ? arriving_.post_overdue() : leaving_.post_overdue();
  }
  // A loop: handlers that run during a wait may open this link and fill it.
  while (!hop.out.make_room(link, kind)) {
    if (!open_buffer(hop, hop.out.links().index_of(link), policy)) return false;
  }
  return true;
}

std::byte* back_pressure::make_record(hop_ends hop, link_end& link, const run_header& header, std::uint32_t align,
                                      when_full policy) {
  if (hop.out.latency_ns() != 0) leaving_.post_overdue();
  for (;;) {
    if (std::byte* const begin = hop.out.make_record(link, header, align)) return begin;
    if (!open_buffer(hop, hop.out.links().index_of(link), policy)) return nullptr;
  }
}

// Opens a buffer on a link that has none.
bool back_pressure::open_buffer(hop_ends hop, std::size_t link, when_full policy) {
  outbox& out = hop.out;
  if (policy == when_full::wait) {
    SHOAL_ASSERT(now_.current() == delivery::state::main_program);
    arriving_.take_turn();
    const bool is_own = out.is_own(link) && hop.own.consumer() != nullptr;
    if (is_own && !out.has_open(link)) arriving_.deliver_own(hop.own);
    if (out.has_open(link)) {  // a handler sent to this very link
      if (out.is_spilling(link)) wait_for_room(hop, link);
      return true;
    }
  }
  if (out.open_slot(link)) return true;
  leaving_.free_a_slot(out);
  switch (policy) {
    case when_full::give_up: return false;
    case when_full::wait: wait_for_room(hop, link); return true;
    case when_full::spill: spill(hop, link); return true;
  }
  return false;
}

// A handler cannot keep its item, so the item goes beyond the credits, into memory of this PE, and the graph notes the
// edge. The running sink stops after the current item.
void back_pressure::spill(hop_ends hop, std::size_t link) {
  now_.running()->vertex().note_edge(hop.own.vertex());
  if (!hop.out.open_block(link)) {
    end_job(status_failure, "handlers sent " + std::to_string(slots_.n_blocks() * slots_.block_bytes() >> 10) +
                                " KiB more than their receivers accept (the last to " + hop.own.describe() +
                                "); raise SHOAL_MEMORY, or let handlers send less than they receive");
  }
  now_.stop();
}

// Waits until the link has an open slot and no older item waits for one.
void back_pressure::wait_for_room(hop_ends hop, std::size_t link) {
  outbox& out = hop.out;
  out.count_wait();
  waiting_for_room_ = &hop.own;
  for (unsigned patience = 0;;) {
    const bool has_moved = arriving_.progress();
    // Handlers that ran meanwhile may have opened the link.
    if (out.has_open(link) ? !out.is_spilling(link) : out.open_slot(link)) break;
    if (has_moved) {
      patience = 0;
    } else if (!leaving_.free_a_slot(out)) {
      arriving_.idle(patience);
    }
  }
  waiting_for_room_ = nullptr;
}

}  // namespace shoal::internal
