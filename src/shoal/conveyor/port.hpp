/// A port: one stream of aggregated items between all PEs. A conveyor session or an actor's mailbox
/// sits on top of one; the exchange (exchange.hpp) below serves all ports of a PE.
///
/// Sending side: for each first-hop link, an open buffer with a cursor and a limit. To add an item is a
/// compare, a store and a bump; everything else happens once per buffer. Receiving side: a queue of
/// whole buffers, consumed in place by a sink or item by item by a conveyor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/codec/choice.hpp"
#include "shoal/conveyor/route.hpp"
#include "shoal/conveyor/run.hpp"
#include "shoal/substrate/buffer.hpp"

namespace shoal {

class exchange;

/// What the items of a run are. A kind is known by its address on this PE and by its number on the wire.
struct item_kind {
  std::uint32_t number = 0;  // from 1 on; 0 where a port has one kind only
  std::uint32_t bytes = 0;
  std::uint32_t align = 0;  // at most 64
};

/// The kind that a number on the wire names, or null. What a relay asks about runs.
using kind_lookup = const item_kind* (*)(std::uint32_t number) noexcept;

/// The sending end of one link of one port.
///
/// Invariant: [payload, cursor) of the open buffer is filled, and limit - cursor is a multiple of the size of
/// the current kind. Without an open buffer both are null, so that `cursor == limit` is the one question on
/// the way of an item. Half a cache line, so that a line serves two links.
struct alignas(32) link_end {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  const item_kind* kind = nullptr;  // of the item written last, and of those that fit before limit
  std::byte* run_begin = nullptr;  // first item of a run whose header does not say yet how many it has
};
static_assert(sizeof(link_end) == 32);

/// A queue of buffers chained through buffer::next_pending.
class buffer_queue {
public:
  bool empty() const noexcept { return head_ == nullptr; }
  buffer* front() const noexcept { return head_; }
  void push(buffer& b) noexcept {
    b.next_pending = nullptr;
    (head_ == nullptr ? head_ : tail_->next_pending) = &b;
    tail_ = &b;
    ++size_;
  }
  buffer& pop() noexcept {
    buffer& b = *head_;
    head_ = b.next_pending;
    --size_;
    return b;
  }
  std::size_t size() const noexcept { return size_; }
  template <class Predicate>
  bool any_of(Predicate is_one) const {
    std::size_t n_left = size_;
    for (const buffer* b = head_; n_left != 0; b = b->next_pending, --n_left) {
      if (is_one(*b)) return true;
    }
    return false;
  }

private:
  buffer* head_ = nullptr;
  buffer* tail_ = nullptr;
  std::size_t size_ = 0;
};

/// Counted once per buffer, always on.
struct port_counts {
  std::uint64_t n_sent = 0;  // items in closed buffers, to this PE included
  std::uint64_t n_handled = 0;  // items consumed
  std::uint64_t n_buffers = 0;  // buffers posted, to this PE included
  std::uint64_t n_bytes = 0;  // payload bytes of those
  std::uint64_t n_received = 0;  // buffers consumed
  std::uint64_t n_waits = 0;  // sends that found no room and waited
  std::uint64_t n_spills = 0;  // buffers that a handler's sends filled beyond the credits
  std::uint64_t n_encoded = 0;  // buffers that a codec made shorter
  std::uint64_t n_spared = 0;  // bytes by which it did
  // Most memory at once: in slots filled or on their way and in spill blocks; and for items larger than a buffer, at
  // either end. The sum of several is no less than what they held together at once.
  std::uint64_t buffer_bytes_most = 0;
  std::uint64_t monster_bytes_most = 0;

  friend port_counts operator+(const port_counts& a, const port_counts& b) noexcept {
    return {a.n_sent + b.n_sent,
            a.n_handled + b.n_handled,
            a.n_buffers + b.n_buffers,
            a.n_bytes + b.n_bytes,
            a.n_received + b.n_received,
            a.n_waits + b.n_waits,
            a.n_spills + b.n_spills,
            a.n_encoded + b.n_encoded,
            a.n_spared + b.n_spared,
            a.buffer_bytes_most + b.buffer_bytes_most,
            a.monster_bytes_most + b.monster_bytes_most};
  }
};

/// The sum of what was carried one after the other.
inline port_counts followed_by(const port_counts& a, const port_counts& b) noexcept {
  port_counts all = a + b;
  all.buffer_bytes_most = std::max(a.buffer_bytes_most, b.buffer_bytes_most);
  all.monster_bytes_most = std::max(a.monster_bytes_most, b.monster_bytes_most);
  return all;
}

/// What a port carried in its life. All PEs construct the same ports in the same order, so equal serial numbers and
/// names are the same port.
struct port_record {
  std::string name;
  std::uint32_t serial = 0;
  port_counts counts;
};

/// Where the consumption of a buffer stands: the next unread byte, and in a port with runs how many
/// items of the run that begins there are read already, and how many there are in the runs before.
struct position {
  std::uint32_t offset = 0;
  std::uint32_t n_in_run = 0;
  std::uint32_t n_before = 0;
};

/// Takes whole buffers of a port, in place. Runs on the PE's one thread of control, never nested.
class sink {
public:
  /// Consumes `b` from `from` on, and adds what it consumed to `n_items`. Stops early only after an item
  /// whose consumption made exchange::stop_delivery() true. Returns true when `b` is used up.
  virtual bool consume(const buffer& b, position& from, std::uint64_t& n_items) = 0;

  /// For reports: "actor histogram, message long".
  virtual std::string describe() const = 0;

protected:
  ~sink() = default;
};

/// What a sender may do when there is no room.
enum class when_full : std::uint8_t {
  give_up,  // say so: a conveyor's push, an early-exit mailbox
  wait,  // the main program: let handlers run until there is room
  spill,  // a handler: it may neither wait nor run another one
};

struct port_options {
  item_kind kind = {};  // of all items; 0 bytes: they come in runs of different kinds, each with a header
  sink* consumer = nullptr;  // null: items are pulled
  const hop_links* hop = nullptr;  // null: every PE is a neighbour, and items carry no tags; outlives the port
  std::uint8_t hop_number = 0;
  bool may_overrun = true;  // false: its sink is a relay, which never has to send beyond the credits
};

class port {
public:
  /// Collective in the sense that every PE constructs the same ports in the same order; does not wait.
  /// Throws setup_error when the pool has no slot left to reserve for it.
  port(exchange& through, const port_options& options);
  ~port();
  port(const port&) = delete;
  port& operator=(const port&) = delete;

  std::uint32_t serial() const noexcept { return serial_; }
  std::uint32_t session() const noexcept { return session_; }
  const port_counts& counts() const noexcept { return counts_; }
  /// Notes that items larger than a buffer take so much memory on this PE now.
  void note_monsters(std::uint64_t bytes) noexcept {
    if (bytes > counts_.monster_bytes_most) counts_.monster_bytes_most = bytes;
  }
  exchange& through() const noexcept { return exchange_; }
  /// From now on, an item sent is posted at the latest so much later, as far as credits go and as long as this PE goes
  /// on sending by this port or calls exchange::progress; 0: whenever its buffer is full or this PE idle. Every send
  /// then looks at the clock. Open buffers are posted. Local, does not wait.
  void limit_latency(std::uint64_t ns) noexcept;
  std::uint64_t latency_ns() const noexcept { return latency_ns_; }
  /// For reports.
  std::string describe() const { return consumer_ == nullptr ? "conveyor" : consumer_->describe(); }
  sink* consumer() const noexcept { return consumer_; }

  // --- Sending

  /// The hot path: the link that an item for `target` goes to where every PE is a neighbour. `target` is in
  /// range.
  link_end& link_to(pe_id target) noexcept { return links_[static_cast<std::size_t>(target)]; }

  /// A link by its number in the port's hop.
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

  /// Opens a record of `header.n_items` bytes, aligned to `align`, in a port with runs, and returns where its bytes
  /// go; the item is then written. Null, only under give_up: not now. May wait under `wait`.
  std::byte* open_record(link_end& link, const run_header& header, std::uint32_t align, when_full policy);

  /// Gives the item that was just written its tag, if items of this hop have any.
  void write_tag(std::size_t link, std::uint32_t tag) noexcept {
    // Tags grow down from the end of the buffer, so that items lie side by side as handlers want them.
    std::byte*& end = states_[link].end;
    end -= tag_bytes_;
    switch (tag_bytes_) {  // the same for all items of a port, hence foretold
      case 0: break;
      case 1: *end = static_cast<std::byte>(tag); break;
      case 2: store_tag(end, static_cast<std::uint16_t>(tag)); break;
      default: store_tag(end, tag);
    }
  }

  /// The tag of item `i` of a buffer that came for this port.
  std::uint32_t tag_of(const buffer& b, std::uint32_t i) const noexcept {
    const std::byte* const at = b.payload() + b.header.bytes - (std::size_t{i} + 1) * tag_bytes_;
    switch (tag_bytes_) {
      case 0: return 0;
      case 1: return static_cast<std::uint8_t>(*at);
      case 2: return load_tag<std::uint16_t>(at);
      default: return load_tag<std::uint32_t>(at);
    }
  }

  /// The kind of all items; of 0 bytes in a port with runs.
  const item_kind& only_kind() const noexcept { return only_kind_; }

  /// Makes room for at least one item of the port's only kind, or of `kind` in a port with runs. False, only
  /// under give_up: not now. Posts the open buffer when it is full. May wait under `wait`.
  bool make_room(link_end& link, when_full policy) { return make_room(link, only_kind_, policy); }
  bool make_room(link_end& link, const item_kind& kind, when_full policy);

  /// Writes an item as a run of its own into the open buffer of a link whose last run has one item so far; false if
  /// that is not to be, and make_room and write are to be called. Every item pays this where kinds alternate at
  /// random, so it has no branch that depends on which kind follows which, and touches the link once. Not where items
  /// have tags.
  template <item T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    link_state& state = states_[index_of(link)];
    // Equal kinds in sequence get runs of their own, too, until there are so many that it is no chance.
    state.n_repeats = (state.n_repeats + 1) & -std::uint32_t{link.kind == &kind};
    std::byte* const begin = after_run_header(link.cursor);
    if (state.n_repeats >= n_repeats_max || alignof(T) > sizeof(run_header) ||
        state.end - begin < std::ptrdiff_t{sizeof(T)}) [[unlikely]] {
      return false;
    }
    write_run_header(begin, {kind.number, 1});
    std::memcpy(begin, &value, sizeof(T));
    ++state.n_items;
    link.cursor = begin + sizeof(T);
    link.limit = link.cursor;
    link.kind = &kind;
    return true;
  }

  /// Posts the partly filled buffers of all links, or of one. Returns whether there were any. Local,
  /// nonblocking.
  bool flush() noexcept;
  bool flush(std::size_t link) noexcept;

  /// Posts an empty or partly filled buffer with the `last` flag on every link that has not had it in
  /// this session; false if credits ran out on the way: call again. Local, nonblocking.
  bool try_send_last() noexcept;

  std::size_t n_links() const noexcept { return states_.size(); }
  /// How far the open buffer of a link is filled; null without one.
  const std::byte* cursor_of(std::size_t link) const noexcept { return links_[link].cursor; }

  // --- Receiving

  /// Takes a buffer that arrived for this port.
  void deliver(buffer& b) noexcept;

  buffer_queue& pending() noexcept { return pending_; }

  /// Consumes pending buffers until none is left or the exchange stops delivery. Returns whether
  /// anything was consumed.
  bool consume_pending();

  /// Accounts for `n_items` that a conveyor pulled, and gives the front buffer back.
  void drop_front(std::uint64_t n_items) noexcept;

  /// True if all PEs whose neighbour this one is have ended their session, as far as buffers that arrived said
  /// so.
  bool has_last_arrived() const noexcept { return n_last_arrived_ == n_senders_; }

  // --- Sessions

  /// Begins the next session or superstep: buffers that came early for it become pending. Requires that
  /// nothing of the last one is left.
  void begin_session();
  /// The same, and from now on items are of another kind. All PEs name the same one.
  void begin_session(const item_kind& kind) {
    only_kind_ = kind;
    for (std::size_t link = 0; link < states_.size(); ++link) links_[link].kind = &only_kind_;
    begin_session();
  }

  /// From its next session on, items go by another hop of a route, or to every PE. Requires that it is in no session
  /// and nothing of the last one is left on any PE. Counts from 0 again. Collective, as construction: to other PEs it
  /// is another port. Throws setup_error as construction does.
  void take_route(const hop_links* hop, std::uint8_t hop_number);

  /// Ends it: whatever arrives for it from now on was sent by somebody who should not have.
  void end_session() noexcept { is_in_session_ = false; }

  std::size_t n_spilled() const noexcept { return n_spilled_; }

  /// True if the sink has consumed all that has arrived and what came of it is on its way or in open buffers.
  bool has_consumed_all() const noexcept { return pending_.empty(); }

  bool is_empty() const noexcept { return pending_.empty() && early_.empty() && n_spilled_ == 0; }

  /// For the stall report: what lies in this port on this PE.
  std::string describe_backlog() const;

private:
  friend class exchange;

  // With so many equal kinds in sequence a run takes all the room there is. Fewer come about by chance where
  // kinds alternate at random, and guessing wrong costs more than a header.
  static constexpr std::uint32_t n_repeats_max = 8;

  // An item whose bytes are yet to be stored, and where. Without one, `at` is `nowhere`.
  template <std::size_t Bytes>
  struct held_item {
    alignas(16) std::byte bytes[Bytes];
    alignas(16) std::byte nowhere[Bytes];
    std::byte* at = nowhere;

    void replace(std::byte* next_at, const void* next_bytes) noexcept {
      std::memcpy(at, bytes, Bytes);
      at = next_at;
      std::memcpy(bytes, next_bytes, Bytes);
    }
    void store() noexcept {
      std::memcpy(at, bytes, Bytes);
      at = nowhere;
    }
  };

  // Before anybody else looks at an open buffer, all its items must be there.
  void store_held_items() noexcept {
    held_4_.store();
    held_8_.store();
  }

  // What a link needs once per buffer.
  struct link_state {
    buffer* open = nullptr;  // null, a slot, or a spill block
    std::byte* end = nullptr;  // of the part of it that may be filled, where tags begin; null without one
    std::uint32_t span = 0;  // bytes of that part, tags included
    std::uint32_t next_span = 0;  // of the next buffer at first
    std::uint32_t n_items = 0;  // in the open buffer, as far as run headers say
    std::uint32_t n_repeats = 0;  // times in sequence that a run began with the kind that the last one had
    bool is_spill = false;  // the open one is a spill block
    bool has_sent_last = false;
    // When the open buffer must go, where latency is limited (0: it is empty); elsewhere, when it may go before it is
    // full.
    std::uint64_t due_ns = 0;
    std::uint32_t n_slots = 0;  // slots that this link holds: open or lent out
    buffer_queue spilled;  // closed spill blocks, oldest first
  };

  template <class Tag>
  static void store_tag(std::byte* at, Tag tag) noexcept {
    std::memcpy(at, &tag, sizeof tag);
  }
  template <class Tag>
  static std::uint32_t load_tag(const std::byte* at) noexcept {
    Tag tag;
    std::memcpy(&tag, at, sizeof tag);
    return tag;
  }

  void lay_links(const hop_links* hop);
  void claim_early_arrivals();
  void leave() noexcept;
  bool is_remote(std::size_t link) const noexcept;  // leads to another node
  pe_id neighbour(std::size_t link) const noexcept {
    return neighbours_.empty() ? static_cast<pe_id>(link) : neighbours_[link];
  }
  std::size_t index_of(const link_end& link) const noexcept { return static_cast<std::size_t>(&link - links_.get()); }
  void open(std::size_t link, buffer& b, bool is_spill) noexcept;
  void close_run(link_end& link, link_state& state) noexcept;
  buffer& close(std::size_t link) noexcept;
  void post(std::size_t link) noexcept;
  void post_or_queue(std::size_t link, buffer& b) noexcept;
  bool has_runs() const noexcept { return only_kind_.bytes == 0; }
  bool switch_run(link_end& link, const item_kind& kind) noexcept;
  bool take_rest(link_end& link, link_state& state) noexcept;
  static void widen(link_state& state, std::size_t span) noexcept;
  void widen_or_post(std::size_t link, std::uint32_t bytes);
  void set_due(link_state& state) noexcept;
  std::uint64_t post_overdue(std::uint64_t now_ns) noexcept;
  bool renew(std::size_t link, when_full policy);
  template <class Place>
  bool find_place(link_end& link, when_full policy, std::uint32_t bytes, Place place);
  [[noreturn]] void does_not_fit(std::uint32_t bytes) const;
  void wait_for_room(std::size_t link);
  void find_room(std::size_t link);
  bool drain_spill(std::size_t link) noexcept;
  bool free_a_slot() noexcept;
  bool flush_fullest() noexcept;
  void finish_front() noexcept;

  // Read by every send, hence first.
  std::unique_ptr<link_end[]> links_;
  held_item<8> held_8_;
  held_item<4> held_4_;

  exchange& exchange_;
  std::span<const pe_id> neighbours_;  // by link; empty: the PE of each number
  std::size_t n_senders_ = 0;
  std::uint32_t tag_bytes_ = 0;
  std::uint8_t hop_number_;
  std::vector<link_state> states_;
  std::vector<codec_choice> choices_;  // by link; empty where no link leads to another node, or without codec
  std::size_t own_link_ = 0;  // to this PE itself, or the number of links: there is none
  std::uint64_t latency_ns_;  // an item waits no longer for its buffer to fill; 0: as long as it takes
  item_kind only_kind_;
  std::uint32_t serial_;
  std::uint32_t session_ = 0;
  bool is_in_session_ = false;
  sink* consumer_;
  const bool may_overrun_;
  bool is_ready_ = false;  // in the exchange's list of ports with pending buffers

  std::size_t n_open_ = 0;  // links whose open buffer is a slot, empty or not
  std::size_t n_spilled_ = 0;  // spill blocks, open ones included
  std::size_t n_slots_ = 0;  // slots held by all links
  buffer_queue pending_;
  buffer_queue early_;  // buffers of the next session
  position reading_;  // in the front buffer of pending_
  std::size_t n_last_arrived_ = 0;
  bool is_presumed_on_cycle_ = false;  // had to accept input although blocked: exchange::grow_spill
  std::vector<port*> spills_into_;  // edges "my handler sends to it", noted when such a send spilled
  port_counts counts_;
};

}  // namespace shoal
