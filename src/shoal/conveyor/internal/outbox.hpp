/// The sending end of one hop of a stream on a PE: opens buffers on its links, finds room in them, posts them.
///
/// Sends write items through open_links.hpp and come here once per buffer. An outbox never waits and runs no handlers.
/// If it finds no room it says so, and back_pressure.hpp decides what to do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/types.hpp"
#include "shoal/codec/internal/choice.hpp"
#include "shoal/conveyor/internal/buffer_codec.hpp"
#include "shoal/conveyor/internal/fetch_ahead.hpp"
#include "shoal/conveyor/internal/inbox.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"
#include "shoal/conveyor/internal/open_links.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/slot_pool.hpp"
#include "shoal/conveyor/internal/team_members.hpp"
#include "shoal/conveyor/stream_counts.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

/// What a PE sends to itself is handled once this much has gathered, so that it is still in the first-level cache beside the
/// program's own data.
inline constexpr std::size_t bytes_to_oneself_max = 8 * 1024;

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
  const node_layout& nodes;  // of the job
  due_time& next_due;
  fetch_ahead ahead;
  const team_members& team;  // without members: all PEs
  pe_id my_pe;  // in the team

  /// Whether `target`, by its number in the job, is on another node.
  bool is_remote(pe_id target) const noexcept { return nodes.node_of(target) != nodes.node_of(backend.my_pe()); }
};

/// Ends the job: an item of `bytes` bytes does not fit into a buffer.
[[noreturn]] void refuse_item(std::uint32_t bytes, std::size_t payload_bytes);

class outbox {
public:
  /// `links`: what sends write into; `own`: takes items for this PE itself; `account`: what this hop holds. All outlive
  /// the outbox.
  outbox(const sending_parts& parts, open_links& links, slot_pool::account& account, inbox& own,
         const std::unique_ptr<link_codec>& own_codec, const item_kind& kind, std::uint64_t latency_ns) noexcept
      : links_(links), parts_(parts), account_(account), own_(own), own_codec_(own_codec), latency_ns_(latency_ns) {
    links_.only_kind = kind;
  }
  outbox(const outbox&) = delete;
  outbox& operator=(const outbox&) = delete;

  /// Joins a hop: takes its links, and its number on the wire. `hop` null: every PE is a neighbour, and
  /// items carry no tags. Requires that the outbox holds nothing.
  void join(std::uint64_t serial, const hop_links* hop, std::uint8_t hop_number);
  /// Gives everything back, unsent items included, and resets the counts.
  void leave() noexcept;

  /// Begins the next session, with items of the same or another kind. Requires that nothing of the last session is
  /// spilled.
  void begin_session(const item_kind& kind) noexcept {
    SHOAL_ASSERT(!has_spilled());
    ++label_.session;
    label_.wave = 0;
    for (std::size_t link = 0; link < links_.n_links; ++link) links_.states[link].has_sent_last = false;
    if (kind != links_.only_kind) change_kind(kind);
  }

  /// This PE joins a wave of the superstep: what it sends from now on does not count for it. Requires that no item is spilled or
  /// in an open buffer.
  void join_wave() noexcept;

  // --- Room

  /// What sends write into.
  open_links& links() const noexcept { return links_; }
  /// Takes items for this PE itself.
  inbox& own() const noexcept { return own_; }

  /// Whether an item may have to ask for room before its buffer is full. If so, call next_room first.
  bool cuts_room() const noexcept { return cuts_room_; }
  /// Makes room on a link whose room was cut short, for items of the only kind. False: it was not cut, or no room is
  /// left; call make_room. Local, nonblocking.
  bool next_room(link_end& link) noexcept {
    if (!next_stretch(link, step_)) return false;
    if (links_.tag_bytes != 0) links_.states[links_.index_of(link)].items.fetch_tags();
    return true;
  }

  /// Makes room for one item of a kind in the open buffer of a link. False: the link has no open buffer, either because
  /// it had none or because a full one was posted. Local, nonblocking.
  bool make_room(link_end& link, const item_kind& kind) {
    const open_links& links = links_;
    const std::size_t index = links.index_of(link);
    link_state& state = links_.states[index];
    const bool has_runs = links.only_kind.bytes == 0;
    while (state.items.open_buffer() != nullptr) {
      if (!state.items.make_room(link, kind, has_runs, links.tag_bytes)) {
        widen_or_post(index, kind.bytes);
        continue;
      }
      if (cuts_room_) [[unlikely]]
        cut_room(link, state, kind);
      return true;
    }
    return false;
  }

  /// Opens a record of `header.n_items` bytes, aligned to `align`, and returns where its bytes go; it counts as
  /// written. Null: as `false` from make_room.
  std::byte* make_record(link_end& link, const run_header& header, std::uint32_t align);

  /// Opens a slot on a link that has no open buffer. False: there is no credit, or older items wait for one. Local,
  /// nonblocking.
  bool open_slot(std::size_t link) noexcept;
  /// Opens a block beyond the credits on such a link. False: the budget for blocks is used up; `is_apart`: it is not
  /// part of that budget. Local, nonblocking.
  bool open_block(std::size_t link, bool is_apart);

  bool is_own(std::size_t link) const noexcept { return link == own_link_; }
  bool has_open(std::size_t link) const noexcept { return links_.ends[link].cursor != nullptr; }
  /// Whether any link's open buffer is a slot.
  bool has_open() const noexcept { return n_open_ != 0; }
  /// Whether the link's open buffer is a spill block, or spilled items wait that the next item must not overtake.
  bool is_spilling(std::size_t link) const noexcept {
    return links_.states[link].is_spill || !links_.states[link].spilled.empty();
  }
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

  /// Sends a copy of a closed buffer that was filled elsewhere for a link of this outbox. False: there is no slot for it now.
  bool send_copy(std::size_t link, const buffer& filled) noexcept;

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
  stream_counts counts() const noexcept {
    stream_counts counts = counts_;
    counts.n_sent = links_.n_sent;
    return counts;
  }
  void count_wait() noexcept { ++counts_.n_waits; }

private:
  void change_kind(const item_kind& kind) noexcept;
  void cut_room(link_end& link, link_state& state, const item_kind& kind) noexcept;
  void widen_or_post(std::size_t link, std::uint32_t bytes);
  bool may_post_early(std::size_t link) noexcept;
  void open(std::size_t link, buffer& b, bool is_spill) noexcept;
  buffer& close(std::size_t link) noexcept;
  void post(std::size_t link) noexcept;
  void send(std::size_t link, buffer& b) noexcept;
  bool drain_spill(std::size_t link) noexcept;
  void set_due(link_state& state) noexcept;

  open_links& links_;
  sending_parts parts_;
  slot_pool::account& account_;
  inbox& own_;
  std::span<const pe_id> neighbours_;  // in the job, by link; empty if every PE is one, under its own number
  std::vector<pe_id> translated_;  // the neighbours on a route of a team
  buffer_header label_;  // what all buffers have in common: hop, number, session, wave and this PE
  std::vector<codec_choice> choices_;  // by link; empty without a codec
  const std::unique_ptr<link_codec>& own_codec_;  // of the hop; goes before them
  std::size_t own_link_ = 0;  // the link to this PE itself; the number of links if there is none
  std::uint32_t own_span_ = 0;  // span of its buffers
  std::uint32_t stretch_bytes_ = 0;  // bytes per link to fetch at a time; 0: the processor prefetches alone
  std::uint32_t step_ = 0;  // the same, rounded to whole items of the only kind
  // Items ask for room before their buffer is full, because of a latency limit or to fetch ahead.
  bool cuts_room_ = false;
  std::uint64_t early_post_ns_ = 0;  // how long a buffer is open before it may be posted early
  std::uint64_t latency_ns_;  // how long an item may wait for its buffer to fill; 0: no limit
  std::size_t n_open_ = 0;  // links whose open buffer is a slot, empty ones included
  stream_counts counts_;  // all but what links_ counts
};

}  // namespace shoal::internal
