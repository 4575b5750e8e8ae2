/// The sending end of one hop of a stream on a PE: for each link an open buffer with a cursor and a limit.
///
/// To add an item is a compare, a store and a bump; everything else happens once per buffer. An outbox never waits and
/// runs no handlers: where it finds no room it says so, and back_pressure.hpp decides what comes of that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "shoal/base/contract.hpp"
#include "shoal/base/types.hpp"
#include "shoal/codec/choice.hpp"
#include "shoal/conveyor/buffer_codec.hpp"
#include "shoal/conveyor/buffer_queue.hpp"
#include "shoal/conveyor/fetch_ahead.hpp"
#include "shoal/conveyor/inbox.hpp"
#include "shoal/conveyor/item_kind.hpp"
#include "shoal/conveyor/link_buffer.hpp"
#include "shoal/conveyor/link_end.hpp"
#include "shoal/conveyor/node_layout.hpp"
#include "shoal/conveyor/route.hpp"
#include "shoal/conveyor/slot_pool.hpp"
#include "shoal/conveyor/stream_counts.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal {

/// Before this time no open buffer of the PE is due.
struct due_time {
  std::uint64_t ns = UINT64_MAX;

  void note(std::uint64_t due_ns) noexcept { ns = std::min(ns, due_ns); }
};

/// What all outboxes of a PE use.
struct sending_parts {
  substrate& machine;
  slot_pool& slots;
  buffer_codec& codec;
  const node_layout& nodes;
  due_time& next_due;
  fetch_ahead ahead;
};

class outbox {
public:
  /// `own`: where items for this PE itself go; `account`: what this hop holds. All outlive the outbox.
  outbox(const sending_parts& parts, slot_pool::account& account, inbox& own, const item_kind& kind,
         std::uint64_t latency_ns) noexcept
      : parts_(parts), account_(account), own_(own), only_kind_(kind), latency_ns_(latency_ns) {}
  outbox(const outbox&) = delete;
  outbox& operator=(const outbox&) = delete;

  /// From now on, items go by the links of a hop under its number on the wire; null: every PE is a neighbour, and items
  /// carry no tags. Requires that it holds nothing.
  void lay(std::uint32_t serial, const hop_links* hop, std::uint8_t hop_number);
  /// Gives everything back, unsent items too. Its counts begin anew.
  void leave() noexcept;

  /// Begins the next session, with items of the same kind as before or of another. Requires that nothing of the last
  /// one is spilled.
  void begin_session(const item_kind& kind) noexcept;

  // --- The hot path

  /// The link that an item for `target` goes to where every PE is a neighbour. `target` is in range.
  link_end& link_to(pe_id target) noexcept { return links_[static_cast<std::size_t>(target)]; }

  /// A link by its number in the hop.
  link_end& link_at(std::size_t link) noexcept { return links_[link]; }

  /// Writes one item at the cursor of a link with room.
  ///
  /// An item that is one word of 4 or 8 bytes is held back until the next one: its place is reserved now, its
  /// bytes are stored one call later. The reason is the memory pipeline. The address of the store is a
  /// cursor that was just loaded; the next call's load of another cursor must wait for that address
  /// wherever the processor cannot predict that the two differ (it cannot, with targets in random order),
  /// so that each item would wait for the one before. One call later the address is long known: 1.9
  /// instead of 2.9 ns an item with two or more targets, for four instructions (docs/performance.md).
  /// Items of several members are stored at once: they are written member by member, and to load them back
  /// as a whole before those stores have left the store buffer costs more than is won.
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

  /// Gives the item that was just written its tag, if items of this hop have any. Tags grow down from the end of the
  /// buffer, so that items lie side by side as handlers want them.
  void write_tag(std::size_t link, std::uint32_t tag) noexcept { states_[link].items.write_tag(tag, tag_bytes_); }

  /// Writes an item as a run of its own into the open buffer of a link whose last run has one item so far; false if
  /// that is not to be, and room is to be found for it first. Every item pays this where kinds alternate at random, so
  /// it has no branch that depends on which kind follows which, and touches the link once. Not where items have tags.
  template <item T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    SHOAL_ASSERT(tag_bytes_ == 0);
    return states_[index_of(link)].items.write_run(link, kind, value);
  }

  // --- Room

  /// The kind of all items; of 0 bytes where items come in runs of several kinds, or are records.
  const item_kind& only_kind() const noexcept { return only_kind_; }

  /// Whether an item may be let to ask for room before its buffer is full. Then next_room is to be asked first.
  bool cuts_room() const noexcept { return cuts_room_; }
  /// Makes room for items of the outbox's one kind on a link whose room was cut short; false: it was not, or there is no
  /// more, and make_room is to be asked. Local, nonblocking.
  bool next_room(link_end& link) noexcept {
    if (!next_stretch(link, step_)) return false;
    if (tag_bytes_ != 0) states_[index_of(link)].items.fetch_tags();
    return true;
  }

  /// Makes room for one item of a kind in the open buffer of a link. False: the link has no open buffer any more; one
  /// that was full has been posted. Local, nonblocking.
  bool make_room(link_end& link, const item_kind& kind);

  /// Opens a record of `header.n_items` bytes, aligned to `align`, and returns where its bytes go; the item is then
  /// written. Null: as false above.
  std::byte* make_record(link_end& link, const run_header& header, std::uint32_t align);

  /// Opens a slot on a link that has no open buffer; false: there is no credit, or older items wait for one. Local,
  /// nonblocking.
  bool open_slot(std::size_t link) noexcept;
  /// Opens a block beyond the credits there; false: the budget for those is used up. Local, nonblocking.
  bool open_block(std::size_t link);

  std::size_t index_of(const link_end& link) const noexcept {
    SHOAL_ASSERT(&link >= links_.get() && &link < links_.get() + n_links());
    return static_cast<std::size_t>(&link - links_.get());
  }
  std::size_t n_links() const noexcept { return states_.size(); }
  bool is_own(std::size_t link) const noexcept { return link == own_link_; }
  bool has_open(std::size_t link) const noexcept { return links_[link].cursor != nullptr; }
  /// Whether a slot lies open on any link.
  bool has_open() const noexcept { return n_open_ != 0; }
  /// Whether the next item on a link goes beyond the credits, or would overtake what did.
  bool has_spilled(std::size_t link) const noexcept { return states_[link].is_spill || !states_[link].spilled.empty(); }
  bool has_spilled() const noexcept { return account_.n_blocks != 0; }

  // --- Posting. Local, nonblocking.

  /// Posts the partly filled buffers of all links, or of one. Returns whether there were any.
  bool flush() noexcept;
  bool flush(std::size_t link) noexcept;

  /// Posts the fullest buffer if all slots of this outbox lie open and partly filled: otherwise none would ever come
  /// back. Returns whether it did.
  bool free_a_slot() noexcept;
  bool has_slots() const noexcept { return account_.n_slots != 0; }

  /// Moves spilled items into slots, oldest first, as far as credits go. Returns whether any went.
  bool drain_spills() noexcept;

  /// Posts an empty or partly filled buffer with the `last` flag on every link that has not had it in this session;
  /// false if credits ran out on the way: call again.
  bool try_send_last() noexcept;

  /// From now on, an item is posted at the latest so much later, as far as credits go and as long as this PE looks; 0:
  /// whenever its buffer is full or this PE idle. Posts open buffers.
  void limit_latency(std::uint64_t ns) noexcept;
  std::uint64_t latency_ns() const noexcept { return latency_ns_; }
  /// Posts what is due, and returns when the next of this outbox is; never: UINT64_MAX.
  std::uint64_t post_overdue(std::uint64_t now_ns) noexcept;

  // --- Reports

  /// What the sending side counts.
  const stream_counts& counts() const noexcept { return counts_; }
  void count_wait() noexcept { ++counts_.n_waits; }

private:
  // What a link needs once per buffer.
  struct link_state {
    link_buffer items;  // the open buffer: none, a slot, or a spill block
    std::uint32_t next_span = 0;  // of the next buffer at first
    bool is_spill = false;  // the open one is a spill block
    bool has_sent_last = false;
    // When the open buffer must go, where latency is limited (0: it is empty); elsewhere, when it may go before it is
    // full.
    std::uint64_t due_ns = 0;
    buffer_queue spilled;  // closed spill blocks, oldest first
  };

  // Before anybody else looks at an open buffer, all its items must be there.
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

  // Read by every send, hence first.
  std::unique_ptr<link_end[]> links_;
  held_item<8> held_8_;
  held_item<4> held_4_;

  sending_parts parts_;
  slot_pool::account& account_;
  inbox& own_;
  std::span<const pe_id> neighbours_;  // by link; empty: the PE of each number
  std::uint32_t tag_bytes_ = 0;
  buffer_header label_;  // of all buffers: hop, serial number, session and this PE
  std::vector<link_state> states_;
  std::vector<codec_choice> choices_;  // by link; empty without codec
  std::size_t own_link_ = 0;  // to this PE itself, or the number of links: there is none
  std::uint32_t own_span_ = 0;  // of its buffers
  item_kind only_kind_;
  std::uint32_t stretch_bytes_ = 0;  // of a link that are fetched at a time; 0: fetching is left to the processor
  std::uint32_t step_ = 0;  // the same, in whole items of the one kind
  bool cuts_room_ = false;  // an item asks for room before its buffer is full: latency is limited, or for fetching
  std::uint64_t latency_ns_;  // an item waits no longer for its buffer to fill; 0: as long as it takes
  std::size_t n_open_ = 0;  // links whose open buffer is a slot, empty or not
  stream_counts counts_;
};

}  // namespace shoal
