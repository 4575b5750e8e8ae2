// The sending side of a port: runs, open buffers, and room in them.
#include "shoal/conveyor/port.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/base/ambient.hpp"
#include "shoal/conveyor/exchange.hpp"
#include "shoal/conveyor/run.hpp"

namespace shoal {
namespace {

// What a PE sends to itself is handled as soon as this much has gathered, so that it is still in the
// first-level cache beside the program's own data.
constexpr std::size_t own_bytes_max = 8 * 1024;

// A buffer may be filled to a part of it at first, and to so many times as much whenever that is reached and posting
// it would not pay.
constexpr std::size_t span_growth = 2;

// A port of n links posts a buffer that is not full n times as long after opening it, so a PE does so at most once in
// this time, and loses two to four percent of its time at most.
constexpr std::uint64_t early_post_ns = 10'000;

// A link that is as busy as it was is asked once a buffer.
std::uint32_t next_span_after(std::uint32_t filled, std::size_t payload_bytes) {
  return std::max(filled / 2, static_cast<std::uint32_t>(payload_bytes / 64));
}

}  // namespace

// --- Runs and buffers

// Lets the current run have all the room that is left; false if that is not even one item.
bool port::take_rest(link_end& link, link_state& state) noexcept {
  const std::size_t n = static_cast<std::size_t>(state.end - link.cursor) / (link.kind->bytes + tag_bytes_);
  link.limit = link.cursor + n * link.kind->bytes;
  return n != 0;
}

// What write_run leaves: a run of more than one item begins, goes on or ends, a buffer was just opened, or an
// item wants a wide alignment. There is room for the item, though perhaps not for a header before it; then false.
bool port::switch_run(link_end& link, const item_kind& kind) noexcept {
  link_state& state = states_[index_of(link)];
  const std::byte* const end = state.end - tag_bytes_;
  if (link.kind != &kind) {
    state.n_repeats = 0;
  } else if (link.cursor != state.open->payload()) {
    if (link.run_begin == nullptr) link.run_begin = link.cursor - kind.bytes;
    return take_rest(link, state);
  }
  // The old run's header lies before its first item, so the new one's may be prepared first.
  std::byte* const begin = after_run_header(link.cursor, end, kind.align);
  if (begin == nullptr || end - begin < static_cast<std::ptrdiff_t>(kind.bytes)) return false;
  close_run(link, state);
  write_run_header(begin, {kind.number, 1});
  ++state.n_items;
  link.cursor = begin;
  link.kind = &kind;
  if (state.n_repeats >= n_repeats_max) {
    link.run_begin = begin;
    return take_rest(link, state);
  }
  link.limit = begin + kind.bytes;
  return true;
}

// Counts the items of a run that got more than one.
void port::close_run(link_end& link, link_state& state) noexcept {
  if (link.run_begin == nullptr) return;
  const auto n_items = static_cast<std::uint32_t>(link.cursor - link.run_begin) / link.kind->bytes;
  write_run_header(link.run_begin, {link.kind->number, n_items});
  state.n_items += n_items - 1;
  link.run_begin = nullptr;
}

void port::open(std::size_t link, buffer& b, bool is_spill) noexcept {
  link_state& state = states_[link];
  state.open = &b;
  state.is_spill = is_spill;
  state.n_items = 0;
  ++(is_spill ? n_spilled_ : n_open_);
  const std::size_t bytes = exchange_.payload_bytes();
  if (link != own_link_) {
    state.span = static_cast<std::uint32_t>(is_spill ? bytes : state.next_span);
  } else {
    state.span = static_cast<std::uint32_t>(consumer_ == nullptr ? bytes : std::min(bytes, own_bytes_max));
  }
  state.end = b.payload() + state.span;
  const bool may_go_early = link != own_link_ && state.span < bytes && latency_ns_ == 0;
  state.due_ns = may_go_early ? exchange_.machine().now_ns() + early_post_ns * states_.size() : 0;
  links_[link] = {.cursor = b.payload(), .limit = b.payload(), .kind = links_[link].kind};
}

// Detaches the open buffer of a link, header filled in.
buffer& port::close(std::size_t link) noexcept {
  link_end& end = links_[link];
  link_state& state = states_[link];
  store_held_items();
  buffer& b = *state.open;
  if (has_runs()) {
    close_run(end, state);
  } else {
    state.n_items = static_cast<std::uint32_t>(end.cursor - b.payload()) / only_kind_.bytes;
  }
  const std::uint32_t all_tag_bytes = state.n_items * tag_bytes_;
  if (all_tag_bytes != 0) std::memmove(end.cursor, state.end, all_tag_bytes);
  b.header = {.hop = hop_number_,
              .mailbox = serial_,
              .session = session_,
              .n_items = state.n_items,
              .bytes = static_cast<std::uint32_t>(end.cursor - b.payload()) + all_tag_bytes,
              .tag_bytes = all_tag_bytes,
              .source = static_cast<std::int32_t>(exchange_.my_pe())};
  counts_.n_sent += state.n_items;
  if (state.n_items != 0) state.next_span = next_span_after(b.header.bytes, exchange_.payload_bytes());
  state.open = nullptr;
  state.end = nullptr;
  n_open_ -= !state.is_spill;
  end = {.kind = end.kind};
  return b;
}

// --- Room

// Calls `place` with open buffers of a link until it finds room in one.
template <class Place>
bool port::find_place(link_end& link, when_full policy, std::uint32_t bytes, Place place) {
  const std::size_t index = index_of(link);
  link_state& state = states_[index];
  // A loop, because handlers that run while renew waits may open this very link and fill it.
  for (;;) {
    if (state.open != nullptr) {
      if (place(state)) return true;
      widen_or_post(index, bytes);
    } else if (!renew(index, policy)) {
      return false;
    }
  }
}

// What comes next to the open buffer of a link, in which there is no room for `bytes` bytes more.
void port::widen_or_post(std::size_t link, std::uint32_t bytes) {
  link_state& state = states_[link];
  const std::size_t whole = exchange_.payload_bytes();
  if (links_[link].cursor == state.open->payload()) {
    // An empty buffer is cut short to be posted early, not for good.
    if (state.span == whole) does_not_fit(bytes);
    widen(state, whole);
  } else if (link != own_link_ && state.span < whole && !exchange_.may_post_early(*this, link)) {
    widen(state, std::min(whole, span_growth * state.span));
  } else {
    post(link);
  }
}

// Lets more of the open buffer be filled, and its tags lie at the new end.
void port::widen(link_state& state, std::size_t span) noexcept {
  std::byte* const begin = state.open->payload();
  const auto n_tag_bytes = static_cast<std::size_t>(begin + state.span - state.end);
  std::byte* const end = begin + span - n_tag_bytes;
  if (n_tag_bytes != 0) std::memmove(end, state.end, n_tag_bytes);
  state.span = static_cast<std::uint32_t>(span);
  state.end = end;
}

bool port::make_room(link_end& link, const item_kind& kind, when_full policy) {
  if (latency_ns_ != 0) policy == when_full::wait ? exchange_.post_overdue_of_main() : exchange_.post_overdue();
  const bool has_room = find_place(link, policy, kind.bytes, [&](link_state& state) {
    if (link.kind == &kind && link.cursor != link.limit) return true;
    // The usual case, without a division and a look at runs: full, whatever the kind.
    if (state.end - link.cursor < static_cast<std::ptrdiff_t>(kind.bytes + tag_bytes_)) return false;
    return has_runs() ? switch_run(link, kind) : take_rest(link, state);
  });
  if (has_room && latency_ns_ != 0) {
    set_due(states_[index_of(link)]);
    // One item at a time, and a run that write_run leaves alone, so that the next item asks for room, too.
    link.limit = link.cursor + kind.bytes;
    if (has_runs() && link.run_begin == nullptr) link.run_begin = link.cursor;
  }
  return has_room;
}

std::byte* port::open_record(link_end& link, const run_header& header, std::uint32_t align, when_full policy) {
  if (latency_ns_ != 0) exchange_.post_overdue();
  std::byte* begin = nullptr;
  find_place(link, policy, header.n_items, [&](link_state& state) {
    const std::byte* const end = state.end - tag_bytes_;
    begin = after_run_header(link.cursor, end, align);
    if (begin == nullptr || end - begin < static_cast<std::ptrdiff_t>(header.n_items)) {
      begin = nullptr;
      return false;
    }
    write_run_header(begin, header);
    link.cursor = link.limit = begin + header.n_items;
    ++state.n_items;
    if (latency_ns_ != 0) set_due(state);
    return true;
  });
  return begin;
}

void port::does_not_fit(std::uint32_t bytes) const {
  end_job(status_usage, "an item of " + std::to_string(bytes) + " bytes does not fit into a buffer of " +
                            std::to_string(exchange_.payload_bytes()) + " bytes; set SHOAL_SLOT_BYTES to at least " +
                            std::to_string(bytes + 2 * cache_line_bytes));
}

// Opens a buffer on a link that has none.
bool port::renew(std::size_t link, when_full policy) {
  link_state& state = states_[link];
  if (policy == when_full::wait) {
    exchange_.take_turn();
    if (state.open == nullptr && link == own_link_ && consumer_ != nullptr) exchange_.deliver_own(*this);
    if (state.open != nullptr) {  // a handler sent to this very link
      if (state.is_spill) wait_for_room(link);
      return true;
    }
  }
  if (state.spilled.empty()) {
    if (buffer* slot = exchange_.acquire(*this, link)) {
      open(link, *slot, false);
      return true;
    }
  }
  free_a_slot();
  switch (policy) {
    case when_full::give_up: return false;
    case when_full::wait: wait_for_room(link); return true;
    case when_full::spill: break;
  }
  // A handler must get rid of its item: beyond the credits, into memory of our own, remembering who
  // did so. The sink that runs stops after this item.
  port& culprit = *exchange_.delivering();
  if (std::find(culprit.spills_into_.begin(), culprit.spills_into_.end(), this) == culprit.spills_into_.end()) {
    culprit.spills_into_.push_back(this);
  }
  ++counts_.n_spills;
  open(link, exchange_.new_spill_block(*this), true);
  exchange_.note_memory(*this);
  exchange_.delivery_end = nullptr;
  return true;
}

void port::wait_for_room(std::size_t link) {
  ++counts_.n_waits;
  exchange_.waiting_for_room_ = this;
  find_room(link);
  exchange_.waiting_for_room_ = nullptr;
}

void port::find_room(std::size_t link) {
  link_state& state = states_[link];
  for (unsigned patience = 0;;) {
    const bool has_moved = exchange_.progress();
    // Handlers that ran meanwhile may have opened the link themselves.
    if (state.open != nullptr && !state.is_spill && state.spilled.empty()) return;
    if (state.open == nullptr && state.spilled.empty()) {
      if (buffer* slot = exchange_.acquire(*this, link)) {
        open(link, *slot, false);
        return;
      }
    }
    if (has_moved) {
      patience = 0;
    } else if (!free_a_slot()) {
      exchange_.idle(patience);
    }
  }
}

}  // namespace shoal
