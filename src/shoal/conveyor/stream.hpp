/// A stream: one flow of items between all PEs, over one, two or three hops. Mailboxes and conveyors are built on it.
///
/// A PE's part of a stream owns its end of each hop and the relays between them. Items that one PE sends to another arrive
/// exactly once and in order. docs/architecture.md follows a buffer through the classes below.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/hop_choice.hpp"
#include "shoal/conveyor/relay.hpp"
#include "shoal/conveyor/route.hpp"
#include "shoal/conveyor/stream_hop.hpp"

namespace shoal {

struct stream_options {
  item_kind kind = {};  // of all items; 0 bytes: they come in runs of the kinds below, or without them as records
  kind_lookup kinds = nullptr;
  sink* consumer = nullptr;  // outlives the stream; null: items are pulled
  int n_hops = 0;  // of its first route; 0: as many as the job's settings say
};

class stream {
public:
  /// Collective in the sense that all PEs construct the same streams in the same order. Does not wait. Throws setup_error
  /// when no buffer slot is left to reserve for each hop.
  stream(exchange& through, const stream_options& options);
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  exchange& through() const noexcept { return exchange_; }
  /// The same on all PEs, another for each stream, and the same whatever route it takes.
  std::uint32_t serial() const noexcept { return serial_; }
  int n_hops() const noexcept { return static_cast<int>(relays_.size()) + 1; }
  /// Null: one hop.
  const route* current_route() const noexcept { return route_; }

  /// What delivers here: the last hop's inbox. And each hop's outbox, from 0 on.
  const inbox& arrivals() const noexcept { return last_.in(); }
  outbox& out(std::size_t hop) noexcept { return hop < relays_.size() ? relays_[hop]->hop().out() : last_.out(); }

  // --- Targets. A send asks one question, `is_direct`, which means "in range, allowed, one hop". What answers no goes
  // out of line, over way_to or into an error.

  /// From now on, items may be sent to all PEs, or to none.
  void let_send(bool is_allowed) noexcept;
  bool is_direct(pe_id target) const noexcept { return static_cast<std::uint64_t>(target) < n_direct_; }
  bool may_send_to(pe_id target) const noexcept { return static_cast<std::uint64_t>(target) < n_sendable_; }

  /// The link of a direct target.
  link_end& link_to(pe_id target) noexcept { return last_.out().link_to(target); }

  /// Where an item goes first: a link of the first hop, and the tag to write after it.
  struct way {
    stream_hop& hop;
    std::size_t number;
    std::uint32_t tag;

    link_end& link() const noexcept { return hop.out().link_at(number); }
  };
  /// The way to any target in range.
  way way_to(pe_id target) noexcept {
    if (route_ == nullptr) return {last_, static_cast<std::size_t>(target), 0};
    const next_hop next = route_->first(target);
    return {*first_, next.link, next.tag};
  }

  // --- Room, as back_pressure says, and items into it.

  bool make_room(link_end& link, const item_kind& kind, when_full policy) {
    return pressure_.make_room(last_.ends(), link, kind, policy);
  }
  bool make_room(const way& to, const item_kind& kind, when_full policy) {
    return pressure_.make_room(to.hop.ends(), to.link(), kind, policy);
  }
  std::byte* make_record(const way& to, const run_header& header, std::uint32_t align, when_full policy) {
    return pressure_.make_record(to.hop.ends(), to.link(), header, align, policy);
  }
  /// Whose code runs on this PE now.
  delivery& now() const noexcept { return pressure_.now(); }
  /// What a send of the program does when there is no room.
  when_full policy_now() const noexcept { return pressure_.policy_now(); }

  template <item T>
  void write(link_end& link, const T& value) noexcept {
    last_.out().write(link, value);
  }
  template <item T>
  static void write(const way& to, const T& value) noexcept {
    outbox& out = to.hop.out();
    out.write(to.link(), value);
    out.write_tag(to.number, to.tag);
  }
  template <item T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    return last_.out().write_run(link, kind, value);
  }
  /// The kind of all items; of 0 bytes in a stream of several.
  const item_kind& only_kind() const noexcept { return last_.out().only_kind(); }

  // --- Sessions, or supersteps

  /// Begins the next one, with items of the same kind as before, or of another that all PEs name. Requires that nothing
  /// of the last one is left on this PE.
  void begin_session();
  void begin_session(const item_kind& kind);
  /// Whatever arrives from now on was sent by somebody who should not have.
  void end_session() noexcept;

  /// Tells the next PEs of each hop that nothing more comes from here, as soon as everybody who sends here on the hop
  /// before has said so and all that they sent is passed on. True when all hops have been told; until then to be called
  /// again. Only after the last item. Local, nonblocking.
  bool try_send_last() noexcept;
  bool has_sent_last() const noexcept { return n_last_sent_ == n_hops(); }
  /// Whether all items of the session have arrived here.
  bool has_last_arrived() const noexcept { return last_.in().has_last_arrived(); }

  /// From its next session on, items take a route of `n_hops` hops. Requires that it is in no session and nothing of the
  /// last one is left on any PE. Its counts go on. Collective, as construction; throws as that does.
  void take_route(int n_hops);

  bool is_empty() const noexcept;
  /// Posts all partly filled buffers. Local, nonblocking.
  void flush() noexcept;
  /// An item is posted at the latest so much later, hop by hop; as outbox::limit_latency.
  void limit_latency(std::uint64_t ns) noexcept;

  // --- Received items

  /// Accounts for `n_items` that were pulled, and gives the front buffer back.
  void drop_front(std::uint64_t n_items) noexcept { last_.in().drop_front(n_items); }

  /// The senders of the items that came from one PE, by tag.
  route::origins origins_by(pe_id source) const noexcept {
    return route_ == nullptr ? route::origins(source, nullptr, false) : route_->origins_by(source);
  }
  std::uint32_t tag_of(const buffer& b, std::uint32_t i) const noexcept { return last_.in().tag_of(b, i); }

  // --- Counts and reports

  /// Items sent from here on this route, without those in open buffers.
  std::uint64_t n_sent() const noexcept { return first_->out().counts().n_sent; }
  /// What this PE sent and handled since construction. What it passed on for others counts only as buffers and bytes.
  stream_counts counts() const noexcept;
  /// Items sent and handled on this route, summed over its hops: an item that takes n hops counts n times, so that one
  /// in a relay is under way. What waves of termination count.
  struct hop_items {
    std::uint64_t n_sent = 0;
    std::uint64_t n_handled = 0;
  };
  hop_items items_of_hops() const noexcept;
  /// Items that this PE passed on for others on this route.
  std::uint64_t n_relayed() const noexcept;
  /// What hop_choice learns from, on this route.
  superstep_traffic traffic() const noexcept;
  void note_monsters(std::uint64_t bytes) noexcept { last_.note_monsters(bytes); }
  /// Keeps each hop's counts for the statistics, if they are wanted, under what `name()` gives and the hop's position.
  template <class Name>
  void record(Name name) const {
    if (is_recorded()) [[unlikely]]
      record_as(name());
  }

private:
  void chain() noexcept;
  bool is_recorded() const noexcept;
  void record_as(const std::string& name) const;
  std::vector<std::unique_ptr<relay>> make_relays(const item_kind& kind) const;
  template <class Visit>
  void for_each_hop(Visit visit) const {
    for (const auto& r : relays_) visit(r->hop());
    visit(last_);
  }
  template <class Visit>
  void for_each_hop(Visit visit) {
    for (const auto& r : relays_) visit(r->hop());
    visit(last_);
  }

  exchange& exchange_;
  back_pressure& pressure_;
  kind_lookup kinds_;
  const sink* consumer_;
  const route* route_;
  // PEs that may be sent to, all or none; and the same if that takes one hop, else none.
  std::uint64_t n_sendable_ = 0;
  std::uint64_t n_direct_ = 0;
  std::vector<std::unique_ptr<relay>> relays_;  // of all hops but the last
  stream_hop last_;
  stream_hop* first_ = nullptr;
  std::uint32_t serial_;
  int n_last_sent_ = 0;  // hops on which this PE has nothing more to send in this session
  stream_counts counts_elsewhere_;  // on the routes that it took before
};

/// Whether items of a kind, and of all kinds that `kinds` finds, leave room in a buffer for a tag: only such a stream can
/// take any route.
bool have_room_for_tags(const item_kind& kind, kind_lookup kinds, std::size_t payload_bytes) noexcept;

}  // namespace shoal
