/// A mailbox: typed messages to the same mailbox on every PE. This class is the part that does not depend on the type.
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "shoal/actor/handler.hpp"
#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/actor/mailbox_guards.hpp"
#include "shoal/base/internal/holds_address.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/base/internal/watched.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal {

namespace internal {
class monster_assembly;
class monster_block;
struct record;
}  // namespace internal

template <class T>
class future;
class mailbox;
class world;

namespace internal {

void append_mailboxes(std::vector<mailbox*>& to, mailbox& one);
template <class Selector>
  requires requires(Selector& s) { s.mailboxes(); }
void append_mailboxes(std::vector<mailbox*>& to, Selector& all) {
  for (mailbox* each : all.mailboxes()) append_mailboxes(to, *each);
}

}  // namespace internal

/// State of a mailbox on one PE. A mailbox belongs to the innermost `finish` that was open at its construction or, if
/// none was, to each outermost `finish` in turn.
class mailbox : public mailbox_guards, protected internal::sink, protected internal::superstep_part {
public:
  using internal::superstep_part::state;

  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  /// Promises that this PE's main program sends no more in this superstep; handlers still may, and work that the main program
  /// has left, except to a mailbox with fed_by. Optional, for ending early: `finish` does it for mailboxes still open, for
  /// those with fed_by when that work is over. No effect after the mailbox has closed. Local, does not wait.
  void done();

  /// Waits until all messages to this mailbox are handled everywhere. Then ends its superstep on this PE before
  /// `finish` ends those of the others, which continue meanwhile. From then on nobody may send to it, handlers
  /// included, until the next `finish` opens it. If handlers pass messages on from mailbox to mailbox, close the
  /// mailboxes in that order, or declare it by fed_by: then this calls `done`, and waits until the mailbox has closed by
  /// itself. Waits also for what waits here for its end as its last act. Does nothing to a dormant mailbox. Collective;
  /// not in a handler.
  void close();

  /// Waits until all messages of several mailboxes are handled everywhere, and ends their superstep on this PE. Skips
  /// dormant ones. Without `may_wait` (in a destructor that runs too late to wait) an open one is an error, except
  /// while an exception unwinds the stack. Collective.
  static void close_together(std::span<mailbox* const> mailboxes, bool may_wait);

  /// Declares which mailboxes feed this one: besides the main programs, only their handlers send to it, and what all these
  /// leave for later. The arguments are actors, mailboxes and selectors; none: only main programs send. Each call adds to
  /// the earlier ones, for the life of the mailbox. A declared mailbox closes by itself, as soon as it is done on all PEs,
  /// everything that feeds it has closed everywhere, and all its messages are handled; those that feed one another close
  /// together. If a feeder, direct or not, is not declared, it closes with `finish`, since anybody may send to that one.
  /// The same calls on all PEs, before `done`, `closed` and the end of the finish; all in one finish. Local, does not
  /// wait; not in a handler. The termination graph of Paul et al., JoCS 2023, section 3.4.
  template <class... Feeders>
  void fed_by(Feeders&... feeders) {
    std::vector<mailbox*> all;
    (internal::append_mailboxes(all, feeders), ...);
    declare({all.data(), all.size()});
  }

  /// A future of its end in this superstep: it is ready when the mailbox has closed, by itself, by `close`, or with
  /// `finish`. What the main program lets wait for it before `done` (by then or co_await) is its last act on this PE: it
  /// may send to the mailboxes that this one feeds, and they close only after it. In a superstep; local, does not wait; not on
  /// another worker than the PE's own thread.
  future<void> closed(const std::source_location where = std::source_location::current());
  /// The same for several mailboxes of one object together.
  static future<void> closed_together(std::span<mailbox* const> mailboxes, const std::source_location& where);

  /// Limits how long a message waits: it is posted at most `us` microseconds after this PE sends or relays it, as long
  /// as this PE has credits and keeps sending to the mailbox or calling world::progress. Every send then looks at the
  /// clock. 0: it is posted when its buffer is full or this PE is idle. SHOAL_MAX_LATENCY sets the default. Posts open
  /// buffers at once. Local, does not wait.
  void limit_latency(std::uint32_t us) noexcept;

  using internal::superstep_part::current_state;
  /// What this PE sent and handled. Relayed messages count only as buffers and bytes. What other workers have sent counts once the
  /// PE's own thread has posted it; only that thread may ask.
  stream_counts counts() const noexcept;
  [[gnu::cold]] std::string describe() const final;

protected:
  /// Collective: all PEs construct the same mailboxes in the same order. Does not wait. `message_type` is the compiler's
  /// name of the only type. If there are several, it is null, `kind` is empty, and `kinds` finds their kinds; then
  /// `all_leave_room_for_tags`, equal on all PEs, tells whether leaves_room_for_tag holds for each.
  mailbox(world& home, std::string actor_name, const char* message_type, const internal::item_kind& kind,
          internal::kind_lookup kinds = nullptr, bool all_leave_room_for_tags = true);

  /// Collective. If its superstep is still open, waits until all its messages are handled everywhere, so that no
  /// message outlives its mailbox. While an exception unwinds the stack it cannot wait: then the exception has to leave
  /// the program's body, or the next collective call ends the job.
  ~mailbox();

  /// Called by the mailbox's owner before it destroys what handlers use. Of several calls the first one counts.
  void end_life() noexcept;

  // The hot path of every send: is_direct and link_to of the stream, write of its links. All but the case "in range,
  // open, one hop, room" is out of line, in find_way and make_room.

  /// The way to any target. Ends the job if the message may not be sent.
  internal::stream::way find_way(pe_id target) {
    if (!stream_.may_send_to(target)) [[unlikely]] {
      // Where the PE may have several workers, most sends are still those of its own thread.
      if (internal::other_worker() != nullptr || !stream_.lets_own_thread_send_to(target))
        return find_way_of_sender(target);
    }
    return stream_.way_to(target);
  }
  void limit_unsent(std::uint64_t n);
  /// Whether the limit lets try_send try. Signed: what `send` sent does not count as tried.
  bool may_try() const noexcept {
    return n_unsent_max_ == INT64_MAX || static_cast<std::int64_t>(n_tried_ - stream_.n_sent()) < n_unsent_max_;
  }

  /// Takes a fragment that PE `from` sent in `b`. True: it completes its message, which is in `whole`.
  bool take_fragment(internal::monster_assembly& arriving, const internal::record& fragment, pe_id from,
                     const internal::buffer& b, internal::monster_block& whole);
  /// Who sent item `i` of a buffer.
  pe_id sender_of(const internal::buffer& b, std::uint32_t i) const noexcept {
    if (stream_.current_route() == nullptr) return b.header.source;
    return routed_sender_of(b, i);
  }

  /// As stream::make_room: the main program waits, a handler spills.
  void make_room(internal::link_end& link, const internal::item_kind& kind);
  void make_room(const internal::stream::way& to, const internal::item_kind& kind);

  /// For messages that are merged into others, and so ask for no room: what make_room does for others beside that. Posts
  /// what is overdue. Under `wait`, lets handlers run if a lot has arrived.
  void serve_others(internal::when_full policy);

  bool consume(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) final;
  void tell(internal::signal_text& into, const internal::buffer& b, const void* address) const noexcept final;

  /// The message type, for reports.
  virtual std::string describe_message() const = 0;
  /// For a signal handler: "message long".
  virtual void tell_message(internal::signal_text& into) const noexcept = 0;
  /// Whether a message of `b` brought this address, or one shortly before it: at which byte. -1: none did.
  virtual std::int64_t find_address(const internal::buffer& b, std::uintptr_t address) const noexcept;

  /// Handles the messages of `b` from `from` on; may throw what a handler throws.
  virtual void handle(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) = 0;

  world& home() const noexcept { return home_; }
  internal::delivery& now() const noexcept { return stream_.now(); }
  internal::stream& messages() noexcept { return stream_; }
  const internal::stream& messages() const noexcept { return stream_; }

  /// Messages sent by try_send, plus those that `send` sent before the limit was set. Counted here, because the
  /// stream's count restarts with each route. Exact only if one worker sends.
  internal::watched<std::uint64_t> n_tried_ = 0;
  std::int64_t n_unsent_max_ = INT64_MAX;

  /// For a mailbox of closures: in this superstep, so many more runs begin the long way. n_runs_with_limit, in every
  /// mailbox: it has a latency limit, so each send looks at the clock.
  internal::watched<std::uint32_t> n_runs_to_look_at_ = 0;
  static constexpr std::uint32_t n_runs_at_first = 64;
  static constexpr std::uint32_t n_runs_with_limit = UINT32_MAX;

private:
  static std::vector<internal::superstep_part*> parts_of(std::span<mailbox* const> mailboxes);
  void declare(std::span<mailbox* const> feeders);
  internal::stream::way find_way_of_sender(pe_id target);
  /// Ends the job unless the sender that runs may send to `target`.
  [[gnu::noinline]] void require_sender(pe_id target);
  pe_id routed_sender_of(const internal::buffer& b, std::uint32_t i) const noexcept;  // after several hops

  int wanted_hops() const noexcept;  // the hop count for a superstep that begins now
  void choose_route(bool is_new) final {
    set_runs_to_look_at();
    if (stream_.n_hops() != wanted_hops()) [[unlikely]]
      take_wanted_route(is_new);
  }
  void set_runs_to_look_at() noexcept;
  [[gnu::cold]] void take_wanted_route(bool is_new);
  void record() const final;

  world& home_;
  const bool is_routable_;  // a buffer has room for a tag beside the largest message: hops may follow the traffic
  bool has_ended_ = false;  // end_life was called
  internal::stream stream_;
  std::string actor_name_;
};

/// A mailbox of messages of one type, handled by `H`, with an optional prefetch hook.
template <class M, class H, class P = no_prefetch>
class typed_mailbox : public mailbox {
  static_assert(
      message<M> || internal::holds_address<M>,
      "a message travels as bytes: make it trivially copyable, or give it a function serialize(archive, value)");
  static_assert(internal::holds_no_address<M>());

public:
  typed_mailbox(world& home, std::string actor_name, H on_message, P prefetch = {})
      : mailbox(home, std::move(actor_name), typeid(typename internal::named_as<M>::type).name(),
                {.bytes = sizeof(M), .align = alignof(M)}),
        handle_(std::move(on_message)),
        prefetch_(std::move(prefetch)) {}
  ~typed_mailbox() { end_life(); }

  /// Sends `m` to PE `target`. In the main program it may wait for room and run handlers meanwhile; in a handler it
  /// does neither. Legal in a superstep; in the main program only before `done`.
  void send(pe_id target, const M& m) {
    if (!messages().is_direct(target)) [[unlikely]]
      return send_indirectly(target, m);
    internal::link_end& link = messages().link_to(target);
    if (link.cursor == link.limit) [[unlikely]]
      make_room(link, messages().links().only_kind);
    messages().links().write(link, m);
  }

  /// Like send, but never waits and never exceeds the credits. False: not now, and nothing was sent. Also false while
  /// the limit of limit_unsent is reached on this PE.
  [[nodiscard]] bool try_send(pe_id target, const M& m) {
    if (!messages().is_direct(target)) [[unlikely]]
      return try_send_indirectly(target, m);
    if (!may_try()) return false;
    internal::link_end& link = messages().link_to(target);
    if (link.cursor == link.limit &&
        !messages().make_room(link, messages().links().only_kind, internal::when_full::give_up))
      return false;
    messages().links().write(link, m);
    ++n_tried_;
    return true;
  }

  /// Early exit: try_send refuses while `n` messages are unsent in this PE's buffers. Such a mailbox must be fed by
  /// try_send alone, and on one worker of the PE: what several send counts only roughly. Local, before the first message.
  using mailbox::limit_unsent;

protected:
  void handle(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) override {
    const std::byte* const begin = b.payload() + from.offset;
    now().proceed_to(b.payload() + b.header.item_bytes());
    const std::byte* const stop = handle_from(b, begin, now());
    n_items = static_cast<std::uint64_t>(stop - begin) / sizeof(M);
    from.offset = static_cast<std::uint32_t>(stop - b.payload());
  }

  /// Handles the messages of `b` in [begin, until.end()), and returns where it stopped, as handle_all.
  template <class Bound>
  const std::byte* handle_from(const internal::buffer& b, const std::byte* begin, Bound& until) {
    if constexpr (internal::asks_sender<H, M>) {
      if (messages().current_route() != nullptr) {
        return handle_of(begin, until,
                         internal::tagged_senders<M>{messages().origins_by(b.header.source), messages(), b});
      }
    }
    return handle_of(begin, until, internal::one_sender{b.header.source});
  }

private:
  // Sends over several hops, or from a handler after `done`, or reports misuse. A small message passes in registers, so
  // that send need not store it for this call.
  [[gnu::noinline]] void send_indirectly(pe_id target, std::conditional_t<sizeof(M) <= 16, M, const M&> m) {
    const internal::stream::way to = find_way(target);
    if (to.link().cursor == to.link().limit) make_room(to, messages().links().only_kind);
    to.write(m);
  }

  [[gnu::noinline]] bool try_send_indirectly(pe_id target, std::conditional_t<sizeof(M) <= 16, M, const M&> m) {
    const internal::stream::way to = find_way(target);
    if (!may_try()) return false;
    const bool is_full = to.link().cursor == to.link().limit;
    if (is_full && !messages().make_room(to, messages().links().only_kind, internal::when_full::give_up)) return false;
    to.write(m);
    ++n_tried_;
    return true;
  }

  std::string describe_message() const final { return message_name_; }
  void tell_message(internal::signal_text& into) const noexcept final { internal::tell_message(into, message_name_); }

  template <class Bound, class Senders>
  const std::byte* handle_of(const std::byte* begin, Bound& until, const Senders& senders) {
    return internal::handle_all<M>(handle_, prefetch_, until, begin, senders);
  }

  H handle_;
  [[no_unique_address]] P prefetch_;
  const char* message_name_ = internal::lasting_type_name<typename internal::named_as<M>::type>();
};

}  // namespace shoal
