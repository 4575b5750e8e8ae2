/// A stream: one flow of items between all PEs, over one, two or three hops. Mailboxes and conveyors are built on it.
///
/// A PE's part of a stream owns its ends of each hop and the relays between them. Items from one PE to another arrive
/// exactly once and in order. docs/architecture.md follows a buffer through the classes below.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"
#include "shoal/base/version.hpp"  // every program that sends needs the library of these headers
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/hop_tags.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/link_buffer.hpp"
#include "shoal/conveyor/internal/open_links.hpp"
#include "shoal/conveyor/internal/run.hpp"
#include "shoal/conveyor/internal/sink.hpp"
#include "shoal/conveyor/internal/superstep_traffic.hpp"
#include "shoal/conveyor/stream_counts.hpp"

namespace shoal::internal {

class back_pressure;
class exchange;
class inbox;
class item_combiner;
class relay;
class route;
class stream_hop;

struct stream_options {
  item_kind kind = {};  // of all items; 0 bytes: runs of the kinds below, or records without them
  kind_lookup kinds = nullptr;
  sink* consumer = nullptr;  // outlives the stream; null: items are pulled
  int n_hops = 0;  // of the first route; 0: the job's setting
};

// Aligned, so that what every send reads is in one cache line, and what it writes in the next.
class alignas(cache_line_bytes) stream {
public:
  /// Collective: all PEs construct the same streams in the same order. Does not wait. Throws setup_error if there are
  /// not enough buffer slots left to reserve one for each hop.
  stream(exchange& through, const stream_options& options);
  ~stream();
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// Identifies this stream, whatever route it takes; the same on all PEs.
  std::uint64_t serial() const noexcept { return serial_; }
  int n_hops() const noexcept { return n_hops_; }
  /// Null with one hop.
  const route* current_route() const noexcept { return route_; }

  /// The last hop's inbox, where items for this PE arrive, and what sends write into on that hop.
  inbox& arrivals() noexcept { return *arrivals_; }
  const inbox& arrivals() const noexcept { return *arrivals_; }
  open_links& links() noexcept { return links_; }
  /// Each hop, from 0 on.
  stream_hop& hop(std::size_t position) noexcept;

  // --- Targets. A send tests only `is_direct`, which means "in range, allowed, one hop". If it is false, the send goes
  // out of line, through way_to or into an error.

  /// Allows or forbids sending, to all PEs.
  /// Where a PE may have several workers, is_direct and may_send_to stay false, so that every send asks who sends.
  void let_send(bool is_allowed) noexcept {
    lets_own_thread_send_ = is_allowed;
    if (has_workers_) [[unlikely]]
      return;
    n_sendable_ = is_allowed ? n_pes_ : 0;
    n_direct_ = route_ == nullptr ? n_sendable_ : 0;
  }
  bool is_direct(pe_id target) const noexcept { return static_cast<std::uint64_t>(target) < n_direct_; }
  /// All PEs, or 0.
  std::uint64_t n_direct() const noexcept { return n_direct_; }
  /// As may_send_to, for the PE's own thread, where the PE may have several workers, too.
  bool lets_own_thread_send_to(pe_id target) const noexcept {
    return lets_own_thread_send_ && static_cast<std::uint64_t>(target) < n_pes_;
  }
  bool may_send_to(pe_id target) const noexcept { return static_cast<std::uint64_t>(target) < n_sendable_; }

  /// The link of a direct target.
  link_end& link_to(pe_id target) noexcept {
    require_thread_of(whose_);
    return links_.ends[static_cast<std::size_t>(target)];
  }

  /// The first step of an item: a link of the first hop, and the tag to write after the item.
  struct way {
    open_links& links;
    std::size_t link_index;
    std::uint32_t tag;

    link_end& link() const noexcept { return links.ends[link_index]; }
    /// Writes an item and its tag; the link has room.
    template <item T>
    void write(const T& value) const noexcept {
      links.write(link(), value);
      write_tag();
    }
    /// What a send that finds no room may do. A task on another worker waits.
    when_full policy(const delivery& now) const noexcept {
      return links.of_workers != nullptr ? when_full::wait : now.policy_now();
    }
    /// Writes the tag of the item just written there.
    void write_tag() const noexcept { links.write_tag(link_index, tag); }
  };
  /// The way to any target in range.
  way way_to(pe_id target) noexcept {
    require_thread_of(whose_);
    if (route_ == nullptr) return {links_, static_cast<std::size_t>(target), 0};
    const next_hop next = first_hops_[static_cast<std::size_t>(target)];
    return {*first_links_, next.link, next.tag};
  }

  // --- Room, by the rules of back_pressure. The second serves the first hop, where items with tags begin.

  bool make_room(link_end& link, const item_kind& kind, when_full policy);
  bool make_room(const way& to, const item_kind& kind, when_full policy);
  std::byte* make_record(const way& to, const run_header& header, std::uint32_t align, when_full policy);
  /// Tracks whose code runs on this PE now.
  delivery& now() const noexcept { return now_; }

  /// From now on, items of the only kind are combined before they leave and by relays. `combiner` outlives the stream,
  /// which tells it the window of the first hop of each route. Local.
  void combine_by(item_combiner& combiner, bool everywhere);

  // --- Sessions, or supersteps

  /// Begins the next session, with items of a kind on which all PEs agree, as those of links().only_kind until now or
  /// others. Requires that nothing of the last session is left on this PE.
  void begin_session(const item_kind& kind);
  /// Ends the session: items that still arrive for it are errors of their senders.
  void end_session() noexcept;

  /// This PE joins a wave that counts the items of the superstep (docs/design/termination.md): from now on what it sends counts
  /// for the next wave. Requires that no item is unread, spilled or in an open buffer here. Local.
  void join_wave() noexcept;

  /// Tells the next PEs of each hop that nothing more comes from here. Does so once every PE that sends here on the hop
  /// before has said so, and all that they sent is passed on. True when all hops have been told; otherwise call it
  /// again. Only after the last item. Local, nonblocking.
  bool try_send_last() noexcept;

  /// From the next session on, items take a route of `n_hops` hops. Requires that the stream is in no session and
  /// nothing of the last one is left on any PE. Keeps the counts. Collective, and throws, as construction does.
  void take_route(int n_hops);

  bool is_empty() const noexcept;
  /// Posts all partly filled buffers. Local, nonblocking.
  void flush() noexcept;
  /// Limits how long an item waits on each hop, as outbox::limit_latency does.
  void limit_latency(std::uint64_t ns) noexcept;

  // --- Received items

  /// Maps tags to original senders, for items that PE `source` brought here.
  tag_origins origins_by(pe_id source) const noexcept;
  std::uint32_t tag_of(const buffer& b, std::uint32_t i) const noexcept { return read_tag(b, i, links_.tag_bytes); }

  // --- Counts and reports

  /// Items sent from here on this route, not counting open buffers.
  std::uint64_t n_sent() const noexcept { return first_links_->n_sent; }
  /// What this PE sent and handled since construction. Relayed items count only as buffers and bytes.
  stream_counts counts() const noexcept;
  /// Items sent and handled on this route, summed over its hops. An item that takes n hops counts n times, so one in a
  /// relay counts as under way. Waves of termination use these.
  struct hop_items {
    std::uint64_t n_sent = 0;
    std::uint64_t n_handled = 0;
    std::uint64_t n_ahead = 0;  // of these, sent by PEs that had joined a wave more
    std::uint64_t n_relayed = 0;  // those handled that went on to other PEs
    bool has_open_buffers = false;  // with items that do not count as sent yet
  };
  hop_items items_of_hops() const noexcept;
  /// The input of hop_choice, on this route.
  superstep_traffic traffic() const noexcept;
  void note_monsters(std::uint64_t bytes) noexcept;
  /// Whether its exchange has ended before it, since a static or leaked object owns it.
  bool is_orphan() const noexcept;
  /// If the statistics are wanted, keeps each hop's counts for them under `name` and the hop's position.
  void record(const std::string& name) const;

private:
  void chain();
  template <class Visit>
  void for_each_hop(Visit visit) const;

  // PEs that may be sent to: all or none. The second is the same with one hop, otherwise 0.
  std::uint64_t n_sendable_ = 0;
  std::uint64_t n_direct_ = 0;
  open_links links_;  // of the last hop, which is the only one of most streams
  static_assert(sizeof(n_sendable_) + sizeof(n_direct_) + offsetof(open_links, held_8) == cache_line_bytes);

  // In a line of their own, which seldom changes: sends of other workers read most of it.
  alignas(cache_line_bytes) open_links* first_links_ = nullptr;  // of the first hop
  const route* route_;
  const next_hop* first_hops_ = nullptr;  // of the route, by target
  std::uint64_t n_pes_;
  delivery& now_;
  exchange& exchange_;
  bool lets_own_thread_send_ = false;
  const bool has_workers_;  // and it is no conveyor, which only the PE's own thread uses

  back_pressure& pressure_;
  kind_lookup kinds_;
  const sink* consumer_;
  owner<std::vector<owner<relay>>> relays_;  // of all hops but the last
  owner<stream_hop> last_;
  inbox* arrivals_;  // its inbox
  stream_hop* first_ = nullptr;
  item_combiner* combiner_ = nullptr;
  bool combines_everywhere_ = false;
  std::uint64_t serial_;
  int n_hops_ = 1;
  int n_last_sent_ = 0;  // hops on which this PE has said that nothing more comes
  stream_counts counts_elsewhere_;  // on earlier routes
  pe_context* const whose_;
};

/// Whether a buffer that has room for an item of `kind` has room for a tag, too. Only then can the stream take any
/// route. `has_runs`: a stream of several kinds, whose items have heads.
bool leaves_room_for_tag(const item_kind& kind, bool has_runs, std::size_t payload_bytes) noexcept;

}  // namespace shoal::internal
