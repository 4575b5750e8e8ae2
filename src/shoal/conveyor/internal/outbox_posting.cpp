// How the buffers of an outbox leave: full, early, late, or from the spill.
#include <cstring>

#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/outbox.hpp"

namespace shoal::internal {

// Sends a closed buffer. The link to this PE itself bypasses the substrate.
void outbox::send(std::size_t link, buffer& b) noexcept {
  const pe_id target = neighbours_.empty() ? static_cast<pe_id>(link) : neighbours_[link];
  if ((!choices_.empty() || own_codec_ != nullptr) && parts_.is_remote(target)) {
    const std::uint32_t plain = b.header.bytes;
    if (own_codec_ != nullptr) {
      parts_.codec.encode_by(*own_codec_, link, b);
    } else {
      parts_.codec.encode(b, links_.only_kind.bytes, choices_[link]);
    }
    counts_.n_encoded += b.header.bytes != plain;
    counts_.n_spared += plain - b.header.bytes;
  }
  if (label_.hop == 0)
    parts_.backend.charge_items(item_work::push, b.header.n_items);  // a relay says what passing on costs
  ++counts_.n_buffers;
  counts_.n_bytes += b.header.bytes;
  if (is_own(link)) {
    own_.deliver(b);
  } else {
    parts_.backend.post(b, target);
  }
}

void outbox::post(std::size_t link) noexcept {
  link_state& state = links_.states[link];
  const bool is_spill = state.is_spill;
  buffer& b = close(link);
  state.is_spill = false;
  if (is_spill) {
    state.spilled.push(b);
  } else {
    SHOAL_ASSERT(state.spilled.empty());  // otherwise it would overtake spilled items
    send(link, b);
  }
}

bool outbox::flush(std::size_t link) noexcept {
  const link_state& state = links_.states[link];
  const buffer* const b = state.items.open_buffer();
  if (b == nullptr || state.is_spill || links_.ends[link].cursor == b->payload()) return false;
  post(link);
  return true;
}

bool outbox::flush() noexcept {
  if (n_open_ == 0) return false;
  bool has_moved = false;
  // Start after this PE, so that PEs do not all send to the same target at once.
  const std::size_t n = links_.n_links;
  for (std::size_t i = 1; i <= n; ++i) has_moved |= flush((own_link_ + i) % n);
  return has_moved;
}

bool outbox::free_a_slot() noexcept {
  if (account_.n_slots != n_open_) return false;
  std::size_t fullest = links_.n_links;
  std::ptrdiff_t most = 0;
  for (std::size_t link = 0; link < links_.n_links; ++link) {
    const buffer* const b = links_.states[link].items.open_buffer();
    if (b == nullptr || links_.states[link].is_spill) continue;
    const std::ptrdiff_t filled = links_.ends[link].cursor - b->payload();
    if (filled > most) {
      most = filled;
      fullest = link;
    }
  }
  return fullest != links_.n_links && flush(fullest);
}

// --- Latency

void outbox::limit_latency(std::uint64_t ns) noexcept {
  latency_ns_ = ns;
  cuts_room_ = latency_ns_ != 0 || stretch_bytes_ != 0;
  flush();
  // Records look at the clock from now on. What is spilled stays open.
  if (layout_of(links_.only_kind) != item_layout::records) return;
  for (std::size_t link = 0; link < links_.n_links; ++link) links_.ends[link].limit = links_.ends[link].cursor;
}

// Called when an open buffer gets an item.
void outbox::set_due(link_state& state) noexcept {
  if (state.due_ns != 0) return;
  state.due_ns = parts_.backend.now_ns() + latency_ns_;
  parts_.next_due.note(state.due_ns);
}

std::uint64_t outbox::post_overdue(std::uint64_t now_ns) noexcept {
  std::uint64_t next = UINT64_MAX;
  for (std::size_t link = 0; link < links_.n_links; ++link) {
    const link_state& state = links_.states[link];
    // Spilled items wait for credits.
    if (state.items.open_buffer() == nullptr || state.is_spill || state.due_ns == 0) continue;
    if (state.due_ns > now_ns) {
      next = std::min(next, state.due_ns);
    } else {
      flush(link);
    }
  }
  return next;
}

// --- Spills

bool outbox::drain_spills() noexcept {
  bool has_moved = false;
  for (std::size_t link = 0; link < links_.n_links; ++link) has_moved |= drain_spill(link);
  return has_moved;
}

bool outbox::drain_spill(std::size_t link) noexcept {
  link_state& state = links_.states[link];
  bool has_moved = false;
  while (!state.spilled.empty()) {
    buffer* const slot = parts_.slots.acquire(account_, link);
    if (slot == nullptr) return has_moved;
    buffer& block = state.spilled.pop();
    slot->header = block.header;
    std::memcpy(slot->payload(), block.payload(), block.header.bytes);
    parts_.slots.recycle_block(account_, block);
    send(link, *slot);
    has_moved = true;
  }
  if (state.items.open_buffer() == nullptr || !state.is_spill) return has_moved;
  buffer* const slot = parts_.slots.acquire(account_, link);
  if (slot == nullptr) return has_moved;
  // The open block moves into the slot as it is, and is filled further there.
  buffer& block = *state.items.open_buffer();
  links_.store_held_items();
  state.items.move_to(links_.ends[link], *slot, layout_of(links_.only_kind));
  state.is_spill = false;
  ++n_open_;
  if (state.due_ns != 0) parts_.next_due.note(state.due_ns);
  parts_.slots.recycle_block(account_, block);
  return true;
}

bool outbox::send_copy(std::size_t link, const buffer& filled) noexcept {
  buffer* const slot = parts_.slots.acquire(account_, link);
  if (slot == nullptr) return false;
  slot->header = label_;
  slot->header.n_items = filled.header.n_items;
  slot->header.bytes = filled.header.bytes;
  slot->header.tag_bytes = filled.header.tag_bytes;
  std::memcpy(slot->payload(), filled.payload(), filled.header.bytes);
  links_.n_sent += filled.header.n_items;
  send(link, *slot);
  return true;
}

// --- End of a session

bool outbox::try_send_last() noexcept {
  for (std::size_t link = 0; link < links_.n_links; ++link) {
    link_state& state = links_.states[link];
    if (state.has_sent_last) continue;
    // What a relay spilled goes first, as soon as there are credits.
    if (is_spilling(link)) return false;
    if (state.items.open_buffer() == nullptr && !open_slot(link)) return false;
    buffer& b = close(link);
    b.header.flags |= buffer_header::last;
    state.has_sent_last = true;
    send(link, b);
  }
  return true;
}

}  // namespace shoal::internal
