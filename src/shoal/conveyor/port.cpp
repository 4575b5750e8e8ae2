#include "shoal/conveyor/port.hpp"

#include <algorithm>
#include <utility>

#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"
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

port::port(exchange& through, const port_options& options)
    : exchange_(through),
      neighbours_(options.hop == nullptr ? std::span<const pe_id>{} : options.hop->neighbours),
      n_senders_(options.hop == nullptr ? static_cast<std::size_t>(through.n_pes()) : options.hop->n_senders),
      tag_bytes_(options.hop == nullptr ? 0 : options.hop->tag_bytes),
      hop_number_(options.hop_number),
      states_(options.hop == nullptr ? n_senders_ : neighbours_.size()),
      own_link_(static_cast<std::size_t>(through.my_pe())),
      latency_ns_(through.options_.latency_ns),
      only_kind_(options.kind),
      serial_(through.enlist(*this)),
      consumer_(options.consumer),
      may_overrun_(options.may_overrun) {
  if (options.hop != nullptr) {
    own_link_ = static_cast<std::size_t>(std::ranges::find(neighbours_, through.my_pe()) - neighbours_.begin());
  }
  links_ = std::make_unique<link_end[]>(states_.size());
  for (link_state& state : states_) state.next_span = static_cast<std::uint32_t>(through.payload_bytes() / 16);
  if (through.has_codec()) {
    choices_.assign(states_.size(), codec_choice({.ns_per_byte = through.options_.ns_per_byte}));
  }
  if (!has_runs()) {
    for (std::size_t link = 0; link < states_.size(); ++link) links_[link].kind = &only_kind_;
  }
  std::vector<buffer*>& unclaimed = exchange_.unclaimed_;
  const auto is_mine = [&](buffer* b) { return b->header.mailbox == serial_; };
  for (buffer* b : unclaimed) {
    if (is_mine(b)) deliver(*b);
  }
  std::erase_if(unclaimed, is_mine);
}

port::~port() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    while (!states_[i].spilled.empty()) exchange_.recycle_spill_block(states_[i].spilled.pop());
    if (states_[i].open == nullptr) continue;
    if (states_[i].is_spill) {
      exchange_.recycle_spill_block(*states_[i].open);
    } else {
      exchange_.give_back(*states_[i].open);
    }
  }
  while (!pending_.empty()) exchange_.give_back(pending_.pop());
  while (!early_.empty()) exchange_.give_back(early_.pop());
  exchange_.delist(*this);
}

// --- Sending: runs and buffers

// Lets the current run have all the room that is left; false if that is not even one item.
bool port::take_rest(link_end& link, link_state& state) noexcept {
  const std::size_t n = static_cast<std::size_t>(state.end - link.cursor) / (link.kind->bytes + tag_bytes_);
  link.limit = link.cursor + n * link.kind->bytes;
  return n != 0;
}

// What write_run leaves: a run of more than one item begins, goes on or ends, a buffer was just opened, or an
// item wants a wide alignment. False if the buffer is full.
bool port::switch_run(link_end& link, const item_kind& kind) noexcept {
  link_state& state = states_[index_of(link)];
  const bool is_long = state.n_repeats >= n_repeats_max;
  const std::byte* const end = state.end - tag_bytes_;
  if (link.kind == &kind && link.cursor != state.open->payload()) {
    if (end - link.cursor < static_cast<std::ptrdiff_t>(kind.bytes)) return false;
    if (link.run_begin == nullptr) link.run_begin = link.cursor - kind.bytes;
    return take_rest(link, state);
  }
  // The old run's header lies before its first item, so the new one's may be prepared first.
  std::byte* const begin = after_run_header(link.cursor, end, kind.align);
  if (begin == nullptr || end - begin < static_cast<std::ptrdiff_t>(kind.bytes)) return false;
  close_run(link, state);
  write_run_header(begin, {kind.number, 1});
  ++state.n_items;
  link = {.cursor = begin, .limit = begin + kind.bytes, .kind = &kind};
  if (is_long) {
    link.run_begin = begin;
    take_rest(link, state);
  }
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

bool port::is_remote(std::size_t link) const noexcept {
  const node_layout& nodes = exchange_.nodes();
  return nodes.node_of(neighbour(link)) != nodes.node_of(exchange_.my_pe());
}

// Sends a closed buffer on its way. The link to oneself needs no substrate.
void port::post_or_queue(std::size_t link, buffer& b) noexcept {
  if (!choices_.empty() && is_remote(link)) {
    const std::uint32_t plain = b.header.bytes;
    exchange_.encode(b, only_kind_.bytes, choices_[link]);
    counts_.n_encoded += b.header.bytes != plain;
    counts_.n_spared += plain - b.header.bytes;
  }
  ++counts_.n_buffers;
  counts_.n_bytes += b.header.bytes;
  if (link == own_link_) {
    deliver(b);
  } else {
    exchange_.machine().post(b, neighbour(link));
  }
}

void port::post(std::size_t link) noexcept {
  link_state& state = states_[link];
  const bool is_spill = state.is_spill;
  buffer& b = close(link);
  if (is_spill) {
    state.spilled.push(b);
  } else {
    post_or_queue(link, b);
  }
}

// --- Sending: finding room

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

// --- Sending: not later than

// Called when an item comes into an open buffer.
void port::set_due(link_state& state) noexcept {
  if (state.due_ns != 0) return;
  state.due_ns = exchange_.machine().now_ns() + latency_ns_;
  exchange_.next_due_ns_ = std::min(exchange_.next_due_ns_, state.due_ns);
}

// Posts what is due, and returns when the next of this port is; never: UINT64_MAX. Spilled items wait for credits.
std::uint64_t port::post_overdue(std::uint64_t now_ns) noexcept {
  std::uint64_t next = UINT64_MAX;
  for (std::size_t link = 0; link < states_.size(); ++link) {
    const link_state& state = states_[link];
    if (state.open == nullptr || state.is_spill || state.due_ns == 0) continue;
    if (state.due_ns > now_ns) {
      next = std::min(next, state.due_ns);
    } else {
      flush(link);
    }
  }
  return next;
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

bool port::flush(std::size_t link) noexcept {
  const link_state& state = states_[link];
  if (state.open == nullptr || state.is_spill || links_[link].cursor == state.open->payload()) {
    return false;
  }
  post(link);
  return true;
}

bool port::flush() noexcept {
  if (n_open_ == 0) return false;
  bool has_moved = false;
  // Starting after ourselves, every PE begins with another target, so that nobody is hit by all.
  const std::size_t n = states_.size();
  for (std::size_t i = 1; i <= n; ++i) has_moved |= flush((own_link_ + i) % n);
  return has_moved;
}

// Called when there is no slot to be had. If all our slots lie open and partly filled, none will ever
// come back by itself; and if we have none at all, those of other ports may be all that there are.
bool port::free_a_slot() noexcept {
  if (n_slots_ == 0) return exchange_.flush();
  return n_slots_ == n_open_ && flush_fullest();
}

bool port::flush_fullest() noexcept {
  std::size_t fullest = states_.size();
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].open == nullptr || states_[i].is_spill) continue;
    const std::ptrdiff_t filled = links_[i].cursor - states_[i].open->payload();
    if (filled > most) {
      most = filled;
      fullest = i;
    }
  }
  return fullest != states_.size() && flush(fullest);
}

// Sends spilled blocks as far as credits go; true if any went.
bool port::drain_spill(std::size_t link) noexcept {
  link_state& state = states_[link];
  bool has_moved = false;
  while (!state.spilled.empty()) {
    buffer* slot = exchange_.acquire(*this, link);
    if (slot == nullptr) return has_moved;
    buffer& block = state.spilled.pop();
    slot->header = block.header;
    std::memcpy(slot->payload(), block.payload(), block.header.bytes);
    exchange_.recycle_spill_block(block);
    --n_spilled_;
    post_or_queue(link, *slot);
    has_moved = true;
  }
  if (state.open == nullptr || !state.is_spill) return has_moved;
  buffer* slot = exchange_.acquire(*this, link);
  if (slot == nullptr) return has_moved;
  // The open block moves into the slot as it is and goes on being filled there.
  buffer& block = *state.open;
  link_end& end = links_[link];
  const auto moved = [&](std::byte* p) { return p == nullptr ? p : slot->payload() + (p - block.payload()); };
  store_held_items();
  std::memcpy(slot->payload(), block.payload(), static_cast<std::size_t>(end.cursor - block.payload()));
  if (tag_bytes_ != 0) {
    const auto offset = static_cast<std::size_t>(state.end - block.payload());
    std::memcpy(slot->payload() + offset, state.end, exchange_.payload_bytes() - offset);
  }
  end.cursor = moved(end.cursor);
  end.limit = moved(end.limit);
  end.run_begin = moved(end.run_begin);
  state.end = moved(state.end);
  state.open = slot;
  state.is_spill = false;
  if (state.due_ns != 0) exchange_.next_due_ns_ = std::min(exchange_.next_due_ns_, state.due_ns);
  ++n_open_;
  exchange_.recycle_spill_block(block);
  --n_spilled_;
  return true;
}

bool port::try_send_last() noexcept {
  for (std::size_t link = 0; link < states_.size(); ++link) {
    link_state& state = states_[link];
    if (state.has_sent_last) continue;
    // What a relay spilled goes first, as soon as there are credits.
    if (!state.spilled.empty() || (state.open != nullptr && state.is_spill)) return false;
    if (state.open == nullptr) {
      buffer* slot = exchange_.acquire(*this, link);
      if (slot == nullptr) {
        free_a_slot();
        return false;
      }
      open(link, *slot, false);
    }
    buffer& b = close(link);
    b.header.flags |= buffer_header::last;
    state.has_sent_last = true;
    post_or_queue(link, b);
  }
  return true;
}

// --- Receiving

void port::deliver(buffer& b) noexcept {
  if (b.header.session > session_) {
    early_.push(b);
    return;
  }
  if (b.header.session < session_ || !is_in_session_) {
    end_job(status_usage, describe() + ": a message from PE " + std::to_string(b.header.source) +
                              " came after its superstep had ended; a handler of an outer finish's mailbox "
                              "must not send to a mailbox of an inner one");
  }
  n_last_arrived_ += (b.header.flags & buffer_header::last) != 0;
  if ((b.header.flags & buffer_header::encoded) != 0) exchange_.decode(b, only_kind_.bytes);
  pending_.push(b);
  if (consumer_ != nullptr) exchange_.mark_ready(*this);
}

bool port::consume_pending() {
  bool has_moved = false;
  while (!pending_.empty()) {
    std::uint64_t n_items = 0;
    const bool is_used_up = consumer_->consume(*pending_.front(), reading_, n_items);
    counts_.n_handled += n_items;
    has_moved = true;
    if (is_used_up) finish_front();
    if (exchange_.delivery_end == nullptr) break;  // a handler overran its credits
    exchange_.post_overdue();
  }
  return has_moved;
}

void port::drop_front(std::uint64_t n_items) noexcept {
  counts_.n_handled += n_items;
  finish_front();
}

void port::finish_front() noexcept {
  buffer& b = pending_.pop();
  reading_ = {};
  ++counts_.n_received;
  exchange_.give_back(b);
}

std::string port::describe_backlog() const {
  std::string text = describe();
  text += ": sent " + std::to_string(counts_.n_sent) + ", handled " + std::to_string(counts_.n_handled);
  if (!pending_.empty()) text += ", " + std::to_string(pending_.size()) + " buffers unread";
  if (!early_.empty()) text += ", " + std::to_string(early_.size()) + " buffers of the next superstep";
  if (n_spilled_ != 0) text += ", " + std::to_string(n_spilled_) + " buffers beyond the credits";
  return text;
}

void port::begin_session() {
  SHOAL_ASSERT(pending_.empty() && n_spilled_ == 0);
  ++session_;
  is_in_session_ = true;
  n_last_arrived_ = 0;
  is_presumed_on_cycle_ = false;
  for (link_state& state : states_) state.has_sent_last = false;
  buffer_queue early = std::exchange(early_, {});
  while (!early.empty()) deliver(early.pop());
}

}  // namespace shoal
