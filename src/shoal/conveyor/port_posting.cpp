// How the buffers of a port go on their way: full, early, late, or one by one out of the spill.
#include "shoal/conveyor/port.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/conveyor/exchange.hpp"

namespace shoal {

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

void port::limit_latency(std::uint64_t ns) noexcept {
  latency_ns_ = ns;
  flush();
}

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

}  // namespace shoal
