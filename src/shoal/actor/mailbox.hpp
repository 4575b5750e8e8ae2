/// A mailbox: typed messages to the same mailbox on every PE. The part that does not depend on the type.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "shoal/actor/handler.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/exchange.hpp"
#include "shoal/conveyor/hop_choice.hpp"
#include "shoal/conveyor/port.hpp"
#include "shoal/conveyor/relay.hpp"
#include "shoal/conveyor/route.hpp"

namespace shoal {

class world;

/// State of a mailbox on one PE. It belongs to the innermost `finish` open when it was constructed or, if
/// none was open, to each outermost `finish` in turn.
class mailbox : protected sink {
public:
  /// What the main program of this PE may do with the mailbox.
  enum class state : std::uint8_t {
    dormant,  // no superstep is open: nobody may send
    open,  // in a superstep
    done,  // in a superstep, and this PE's main program promised to send no more
  };

  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  /// This PE's main program sends no more in this superstep; handlers still may. A way to end early,
  /// not a duty: `finish` does it for whatever was left open. Local, does not wait.
  void done();

  /// Waits until all messages to this mailbox are handled everywhere and ends its superstep on this PE, before `finish`
  /// ends those of the others, which go on meanwhile. Then nobody may send to it, handlers included, until the next
  /// `finish` opens it: where handlers pass on from mailbox to mailbox, close them in that order. Left alone if it is
  /// dormant. Collective; not in a handler. The program walks the termination graph of Paul et al., JoCS 2023, section
  /// 3.4.
  void close();

  /// Waits until all messages of several mailboxes are handled everywhere, and ends their superstep on this
  /// PE. Those that are dormant are left alone. Without `may_wait` (in a destructor that comes too
  /// late to wait) an open one is an error, unless an exception unwinds. Collective.
  static void close_together(std::span<mailbox* const> mailboxes, bool may_wait);

  /// A message that this PE sends or passes on is posted at the latest `us` microseconds later, as long as this PE goes
  /// on sending to the mailbox or calls world::progress, and has the credits. Every send then looks at the clock.
  /// 0: when its buffer is full or this PE idle; without a call, SHOAL_MAX_LATENCY decides. What lies in open
  /// buffers goes at once. Local, does not wait.
  void limit_latency(std::uint32_t us) noexcept;

  state current_state() const noexcept { return state_; }
  /// What this PE sent and handled. What it passed on for others counts only as buffers and bytes.
  port_counts counts() const noexcept;
  std::string describe() const final;

protected:
  /// Collective: all PEs construct the same mailboxes in the same order. Does not wait. Without a kind, messages are
  /// of the kinds that `kinds` finds.
  mailbox(world& home, std::string actor_name, std::string message_name, const item_kind& kind,
          kind_lookup kinds = nullptr);

  /// Collective. If its superstep is still open, waits until all its messages are handled everywhere, so
  /// that no message outlives its mailbox; not while an exception unwinds.
  ~mailbox();

  /// The mailbox's owner calls this before the parts that handlers use are destroyed.
  void end_life() noexcept;

  // The hot path of every send: is_direct, link_to, write. Everything beyond "in range, open, one hop, room" is
  // out of line, behind find_way and make_room.

  /// True if a message may go to `target` in one hop.
  bool is_direct(pe_id target) const noexcept { return static_cast<std::uint64_t>(target) < n_direct_; }
  link_end& link_to(pe_id target) noexcept { return port_.link_to(target); }

  /// Where a message goes first: a link of the first hop's port and the tag to write behind it.
  struct way {
    port& out;
    std::size_t number;
    std::uint32_t tag;

    link_end& link() const noexcept { return out.link_at(number); }
  };
  /// The way to any target; ends the job if the message may not be sent.
  way find_way(pe_id target) const {
    if (static_cast<std::uint64_t>(target) >= n_sendable_) [[unlikely]]
      sent_wrongly(target);
    if (route_ == nullptr) return {*first_port_, static_cast<std::size_t>(target), 0};
    const next_hop next = route_->first(target);
    return {*first_port_, next.link, next.tag};
  }
  /// Ends the job unless a limit of try_send lets anything through.
  void check_limit(std::uint64_t n_unsent_max) const;

  void make_room(link_end& link);
  void make_room(link_end& link, const item_kind& kind);
  void make_room(const way& to, const item_kind& kind);
  template <class T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    return port_.write_run(link, kind, value);
  }
  bool try_make_room(link_end& link);
  bool try_make_room(const way& to);
  template <class T>
  void write(link_end& link, const T& value) noexcept {
    port_.write(link, value);
  }
  template <class T>
  static void write(const way& to, const T& value) noexcept {
    to.out.write(to.link(), value);
    to.out.write_tag(to.number, to.tag);
  }

  /// Messages sent, without those in open buffers of the first hop.
  std::uint64_t n_sent() const noexcept { return first_port_->counts().n_sent; }

  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;

  /// What the mailbox's messages are, for reports.
  virtual std::string describe_message() const { return message_name_; }

  /// Handles the messages of `b` from `from` on; may throw what a handler throws.
  virtual void handle(const buffer& b, position& from, std::uint64_t& n_items) = 0;

  world& home() const noexcept { return home_; }
  exchange& through() const noexcept { return port_.through(); }
  /// The route of messages, or null: one hop, where the link says who sent them.
  const route* messages_route() const noexcept { return route_; }
  /// The port that handled messages come by.
  const port& last_port() const noexcept { return port_; }

  /// Messages that try_send sent, what send sent before the limit was set included. Here, as another route counts
  /// from 0.
  std::uint64_t n_tried_ = 0;

private:
  friend class world;

  void sent_wrongly(pe_id target) const;
  when_full policy() const noexcept;
  void let_send(bool is_allowed) noexcept;
  void begin_superstep(std::size_t depth);
  void await() noexcept { let_send(true); }  // the main program waits in finish: only handlers send from now on
  void end_superstep();

  // What the world asks of all hops together.
  template <class Visit>
  void for_each_port(Visit visit) const {
    for (const auto& r : relays_) visit(r->in());
    visit(port_);
  }
  port_counts counts_of_all_hops() const noexcept;
  superstep_traffic traffic_so_far() const noexcept;  // of this PE, on this route
  int n_hops() const noexcept { return route_ == nullptr ? 1 : route_->n_hops(); }
  int n_hops_of_now() const noexcept;  // that it would take if it began a superstep
  void take_route_of_now();
  bool is_empty() const noexcept;
  void flush() noexcept;
  void record() const;

  world& home_;
  const bool is_routable_;  // beside its largest message a buffer has room for a tag: hops follow the traffic
  const route* route_;
  kind_lookup kinds_;
  std::vector<std::unique_ptr<relay>> relays_;  // of all hops but the last
  // PEs that the main program may send to: all of them or, when it may not send at all, none; and the same if
  // that takes one hop, else none, so that the range check of every send answers three questions.
  std::uint64_t n_sendable_ = 0;
  std::uint64_t n_direct_ = 0;
  port port_;  // of the last hop
  port* first_port_;
  const std::uint32_t serial_;  // of the port that it was constructed with, for records
  state state_ = state::dormant;
  bool is_in_scope_ = false;
  bool is_closed_ = false;  // ended its superstep before finish does
  std::size_t depth_ = 0;  // of the finish whose superstep this is; 0: the outermost
  port_counts counts_before_;  // of all hops, when this superstep began
  superstep_traffic traffic_before_;
  port_counts counts_elsewhere_;  // as counts(), on the routes that it took before
  std::string actor_name_;
  std::string message_name_;
};

/// A mailbox of messages of one type, handled by `H`, with an optional prefetch hook.
template <class M, class H, class P = no_prefetch>
class typed_mailbox : public mailbox {
  static_assert(message<M>, "a message travels as bytes: make it trivially copyable, without pointers or references");

public:
  typed_mailbox(world& home, std::string actor_name, std::string message_name, H on_message, P prefetch = {})
      : mailbox(home, std::move(actor_name), std::move(message_name), {.bytes = sizeof(M), .align = alignof(M)}),
        handle_(std::move(on_message)),
        prefetch_(std::move(prefetch)) {}
  ~typed_mailbox() { end_life(); }

  /// Sends `m` to PE `target`. From the main program it may wait for room and let handlers run
  /// meanwhile; from a handler it neither waits nor runs one. Legal in a superstep, from the main program
  /// only before `done`.
  void send(pe_id target, const M& m) {
    if (!is_direct(target)) [[unlikely]]
      return send_indirectly(target, m);
    link_end& link = link_to(target);
    if (link.cursor == link.limit) [[unlikely]]
      make_room(link);
    write(link, m);
  }

  /// Like send, but never waits and never goes beyond the credits: false means not now, and nothing
  /// was sent. Also false while more than the limit of try_send's messages are unsent on this PE.
  [[nodiscard]] bool try_send(pe_id target, const M& m) {
    if (!is_direct(target)) [[unlikely]]
      return try_send_indirectly(target, m);
    if (!may_try(last_port().counts().n_sent)) return false;
    link_end& link = link_to(target);
    if (link.cursor == link.limit && !try_make_room(link)) return false;
    write(link, m);
    ++n_tried_;
    return true;
  }

  /// Early exit: try_send refuses while `n` messages wait unsent in this PE's buffers. Such a mailbox is
  /// fed by try_send alone. Local, before the first message.
  void limit_unsent(std::uint64_t n) {
    check_limit(n);
    n_unsent_max_ = static_cast<std::int64_t>(n);
    n_tried_ = n_sent();
  }

private:
  // Sends over several hops, from a handler after `done`, or wrongly. A small message comes in registers, so
  // that send need not put it into memory for the sake of this call.
  [[gnu::noinline]] void send_indirectly(pe_id target, std::conditional_t<sizeof(M) <= 16, M, const M&> m) {
    const way to = find_way(target);
    if (to.link().cursor == to.link().limit) make_room(to, to.out.only_kind());
    write(to, m);
  }

  [[gnu::noinline]] bool try_send_indirectly(pe_id target, std::conditional_t<sizeof(M) <= 16, M, const M&> m) {
    const way to = find_way(target);
    if (!may_try(n_sent())) return false;
    if (to.link().cursor == to.link().limit && !try_make_room(to)) return false;
    write(to, m);
    ++n_tried_;
    return true;
  }

  // Signed: what send sent does not count as tried.
  bool may_try(std::uint64_t n_sent) const noexcept {
    return static_cast<std::int64_t>(n_tried_ - n_sent) < n_unsent_max_;
  }

  void handle(const buffer& b, position& from, std::uint64_t& n_items) final {
    const std::byte* const begin = b.payload() + from.offset;
    through().delivery_end = b.payload() + b.header.item_bytes();
    const std::byte* stop = nullptr;
    if constexpr (detail::asks_sender<H, M>) {
      if (const route* by = messages_route(); by != nullptr) {
        stop = handle_from(begin, detail::tagged_senders<M>{by->origins_by(b.header.source), last_port(), b});
      } else {
        stop = handle_from(begin, detail::one_sender{b.header.source});
      }
    } else {
      stop = handle_from(begin, detail::one_sender{b.header.source});
    }
    n_items = static_cast<std::uint64_t>(stop - begin) / sizeof(M);
    from.offset = static_cast<std::uint32_t>(stop - b.payload());
  }

  template <class Senders>
  const std::byte* handle_from(const std::byte* begin, const Senders& senders) {
    return detail::handle_all<M>(handle_, prefetch_, through(), begin, senders);
  }

  H handle_;
  [[no_unique_address]] P prefetch_;
  std::int64_t n_unsent_max_ = INT64_MAX;
};

}  // namespace shoal
