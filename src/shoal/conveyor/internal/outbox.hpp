/// The sending end of one hop of a stream on a PE: for each link, an open buffer with a cursor and a limit.
///
/// Adding an item takes a compare, a store and an increment; everything else happens once per buffer. An outbox never
/// waits and runs no handlers. If it finds no room it says so, and back_pressure.hpp decides what to do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/types.hpp"
#include "shoal/codec/internal/choice.hpp"
#include "shoal/conveyor/internal/buffer_codec.hpp"
#include "shoal/conveyor/internal/buffer_queue.hpp"
#include "shoal/conveyor/internal/fetch_ahead.hpp"
#include "shoal/conveyor/internal/inbox.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/link_buffer.hpp"
#include "shoal/conveyor/internal/link_end.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/slot_pool.hpp"
#include "shoal/conveyor/stream_counts.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

/// No open buffer of the PE is due before this time.
struct due_time {
  std::uint64_t ns = UINT64_MAX;

  void note(std::uint64_t due_ns) noexcept { ns = std::min(ns, due_ns); }
};

/// The parts that all outboxes of a PE share.
struct sending_parts {
  substrate& backend;
  slot_pool& slots;
  buffer_codec& codec;
  const node_layout& nodes;
  due_time& next_due;
  fetch_ahead ahead;
};

class outbox {
public:
  /// `own`: takes items for this PE itself; `account`: what this hop holds. All outlive the outbox.
  outbox(const sending_parts& parts, slot_pool::account& account, inbox& own, const item_kind& kind,
         std::uint64_t latency_ns) noexcept
      : parts_(parts), account_(account), own_(own), only_kind_(kind), latency_ns_(latency_ns) {}
  outbox(const outbox&) = delete;
  outbox& operator=(const outbox&) = delete;

  /// Joins a hop: takes its links, and its number on the wire. `hop` null: every PE is a neighbour, and
  /// items carry no tags. Requires that the outbox holds nothing.
  void join(std::uint32_t serial, const hop_links* hop, std::uint8_t hop_number);
  /// Gives everything back, unsent items included, and resets the counts.
  void leave() noexcept;

  /// Begins the next session, with items of the same or another kind. Requires that nothing of the last session is
  /// spilled.
  void begin_session(const item_kind& kind) noexcept;

  // --- The hot path

  /// The link to `target` if every PE is a neighbour. `target` is in range.
  link_end& link_to(pe_id target) noexcept { return links_[static_cast<std::size_t>(target)]; }

  /// A link by its number in the hop.
  link_end& link_at(std::size_t link) noexcept { return links_[link]; }

  /// Writes one item at the cursor of a link with room.
  ///
  /// An item that is one word of 4 or 8 bytes is held back until the next call: its place is reserved now, its bytes
  /// are stored one call later. The reason is the memory pipeline. The store's address is a cursor that was just
  /// loaded. The next call's load of another cursor must wait for that address if the processor cannot predict that the
  /// two differ. It cannot if targets come in random order, and then each item waits for the one before. One call later
  /// the address is long known. That takes 1.9 instead of 2.9 ns an item with two or more targets, for four
  /// instructions (docs/performance.md). Items of several members are stored at once: they are written member by
  /// member, and loading them back as a whole before those stores leave the store buffer costs more than the delay
  /// gains.
  template <item T>
  void write(link_end& link, const T& value) noexcept {
    constexpr bool is_one_word = sizeof(T) == alignof(T);
    if constexpr (is_one_word && sizeof(T) == 4) {
      held_4_.replace(link.cursor, &value);
    } else if constexpr (is_one_word && sizeof(T) == 8) {
      held_8_.replace(link.cursor, &value);
    } else {
      std::memcpy(link.cursor, &value, sizeof(T));
    }
    link.cursor += sizeof(T);
  }

  /// Writes the tag of the item just written, if items of this hop have tags. Tags grow down from the end of the
  /// buffer, so that items lie side by side for handlers.
  void write_tag(std::size_t link, std::uint32_t tag) noexcept { states_[link].items.write_tag(tag, tag_bytes_); }

  /// Writes an item as a run of its own, if the link's last run has one item so far. False if that is not possible;
  /// then find room for the item first. If kinds alternate at random, every item comes here: so no branch depends on
  /// which kind follows which, and the link is touched once. Not for hops with tags.
  template <item T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    SHOAL_ASSERT(tag_bytes_ == 0);
    return states_[index_of(link)].items.write_run(link, kind, value);
  }

  // --- Room

  /// The kind of all items; its size is 0 if items come in runs of several kinds or are records.
  const item_kind& only_kind() const noexcept { return only_kind_; }

  /// Whether an item may have to ask for room before its buffer is full. If so, call next_room first.
  bool cuts_room() const noexcept { return cuts_room_; }
  /// Makes room on a link whose room was cut short, for items of the only kind. False: it was not cut, or no room is
  /// left; call make_room. Local, nonblocking.
  bool next_room(link_end& link) noexcept {
    if (!next_stretch(link, step_)) return false;
    if (tag_bytes_ != 0) states_[index_of(link)].items.fetch_tags();
    return true;
  }

  /// Makes room for one item of a kind in the open buffer of a link. False: the link has no open buffer, either because
  /// it had none or because a full one was posted. Local, nonblocking.
  bool make_room(link_end& link, const item_kind& kind);

  /// Opens a record of `header.n_items` bytes, aligned to `align`, and returns where its bytes go; it counts as
  /// written. Null: as `false` from make_room.
  std::byte* make_record(link_end& link, const run_header& header, std::uint32_t align);

  /// Opens a slot on a link that has no open buffer. False: there is no credit, or older items wait for one. Local,
  /// nonblocking.
  bool open_slot(std::size_t link) noexcept;
  /// Opens a block beyond the credits on such a link. False: the budget for blocks is used up. Local, nonblocking.
  bool open_block(std::size_t link);

  std::size_t index_of(const link_end& link) const noexcept {
    SHOAL_ASSERT(&link >= links_.get() && &link < links_.get() + n_links());
    return static_cast<std::size_t>(&link - links_.get());
  }
  std::size_t n_links() const noexcept { return states_.size(); }
  bool is_own(std::size_t link) const noexcept { return link == own_link_; }
  bool has_open(std::size_t link) const noexcept { return links_[link].cursor != nullptr; }
  /// Whether any link's open buffer is a slot.
  bool has_open() const noexcept { return n_open_ != 0; }
  /// Whether the link's open buffer is a spill block, or spilled items wait that the next item must not overtake.
  bool is_spilling(std::size_t link) const noexcept { return states_[link].is_spill || !states_[link].spilled.empty(); }
  bool has_spilled() const noexcept { return account_.n_blocks != 0; }

  // --- Posting. Local, nonblocking.

  /// Posts the partly filled buffers of all links, or of one. Returns whether it posted any.
  bool flush() noexcept;
  bool flush(std::size_t link) noexcept;

  /// Posts the fullest buffer if all slots of this outbox are open and partly filled; otherwise none would ever come
  /// back. Returns whether it did.
  bool free_a_slot() noexcept;
  bool has_slots() const noexcept { return account_.n_slots != 0; }

  /// Moves spilled items into slots, oldest first, as far as credits allow. Returns whether any moved.
  bool drain_spills() noexcept;

  /// Posts a buffer with the `last` flag, empty or partly filled, on every link that has not had one in this session.
  /// False if credits ran out: call again.
  bool try_send_last() noexcept;

  /// Posts an item at the latest `ns` after it was written, as long as credits allow and this PE calls Shoal. 0: no
  /// limit; a buffer goes when it is full or this PE is idle. Posts open buffers.
  void limit_latency(std::uint64_t ns) noexcept;
  std::uint64_t latency_ns() const noexcept { return latency_ns_; }
  /// Posts what is due. Returns when this outbox is next due; UINT64_MAX: never.
  std::uint64_t post_overdue(std::uint64_t now_ns) noexcept;

  // --- Reports

  /// Counts of the sending side.
  const stream_counts& counts() const noexcept { return counts_; }
  void count_wait() noexcept { ++counts_.n_waits; }

private:
  // The part of a link's state that is used once per buffer.
  struct link_state {
    link_buffer items;  // the open buffer: none, a slot, or a spill block
    std::uint32_t next_span = 0;  // initial span of the next buffer
    bool is_spill = false;  // the open buffer is a spill block
    bool has_sent_last = false;
    // With a latency limit: when the open buffer must be posted; 0 if it is empty. Without one: when it may be posted
    // although it is not full.
    std::uint64_t due_ns = 0;
    buffer_queue spilled;  // closed spill blocks, oldest first
  };

  // Stores the held items. Called before anyone else reads an open buffer.
  void store_held_items() noexcept {
    held_4_.store();
    held_8_.store();
  }

  void cut_room(link_end& link, link_state& state, const item_kind& kind) noexcept;
  std::uint32_t step_of(const item_kind& kind) const noexcept;
  void widen_or_post(std::size_t link, std::uint32_t bytes);
  bool may_post_early(std::size_t link) noexcept;
  void open(std::size_t link, buffer& b, bool is_spill) noexcept;
  buffer& close(std::size_t link) noexcept;
  void post(std::size_t link) noexcept;
  void send(std::size_t link, buffer& b) noexcept;
  bool drain_spill(std::size_t link) noexcept;
  void set_due(link_state& state) noexcept;

  // First, because every send reads it.
  std::unique_ptr<link_end[]> links_;
  held_item<8> held_8_;
  held_item<4> held_4_;

  sending_parts parts_;
  slot_pool::account& account_;
  inbox& own_;
  std::span<const pe_id> neighbours_;  // by link; empty if every PE is a neighbour, under its own number
  std::uint32_t tag_bytes_ = 0;
  buffer_header label_;  // what all buffers have in common: hop, number, session and this PE
  std::vector<link_state> states_;
  std::vector<codec_choice> choices_;  // by link; empty without a codec
  std::size_t own_link_ = 0;  // the link to this PE itself; the number of links if there is none
  std::uint32_t own_span_ = 0;  // span of its buffers
  item_kind only_kind_;
  std::uint32_t stretch_bytes_ = 0;  // bytes per link to fetch at a time; 0: the processor prefetches alone
  std::uint32_t step_ = 0;  // the same, rounded to whole items of the only kind
  // Items ask for room before their buffer is full, because of a latency limit or to fetch ahead.
  bool cuts_room_ = false;
  std::uint64_t latency_ns_;  // how long an item may wait for its buffer to fill; 0: no limit
  std::size_t n_open_ = 0;  // links whose open buffer is a slot, empty ones included
  stream_counts counts_;
};

}  // namespace shoal::internal
