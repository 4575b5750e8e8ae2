/// A mailbox: typed messages to the same mailbox on every PE. The part that does not depend on the type.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "shoal/actor/handler.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/exchange.hpp"
#include "shoal/conveyor/port.hpp"

namespace shoal {

class world;

/// State of a mailbox on one PE. It belongs to the innermost `finish` open when it was constructed or, if
/// none was open, to each outermost `finish` in turn.
class mailbox : protected sink {
public:
  /// What the main program of this PE may do with the mailbox.
  enum class state : std::uint8_t {
    dormant,  // no superstep is open: nobody may send
    open,     // in a superstep
    done,     // in a superstep, and this PE's main program promised to send no more
  };

  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  /// This PE's main program sends no more in this superstep; handlers still may. A way to end early,
  /// not a duty: `finish` does it for whatever was left open. Local, does not wait.
  void done();

  /// Waits until all messages of several mailboxes are handled everywhere, and ends their superstep on this
  /// PE. Those that are dormant are left alone. Without `may_wait` (in a destructor that comes too
  /// late to wait) an open one is an error, unless an exception unwinds. Collective.
  static void close_together(std::span<mailbox* const> mailboxes, bool may_wait);

  state current_state() const noexcept { return state_; }
  const port_counts& counts() const noexcept { return port_.counts(); }
  std::string describe() const final;

protected:
  /// Collective: all PEs construct the same mailboxes in the same order. Does not wait.
  mailbox(world& home, std::string actor_name, std::string message_name, const item_kind& kind);

  /// Collective. If its superstep is still open, waits until all its messages are handled everywhere, so
  /// that no message outlives its mailbox; not while an exception unwinds.
  ~mailbox();

  /// The mailbox's owner calls this before the parts that handlers use are destroyed.
  void end_life() noexcept;

  /// The hot path of every send. Everything beyond "in range, open, room" is in sent_wrongly and make_room.
  link_end& link_to(pe_id target) {
    if (static_cast<std::uint64_t>(target) >= n_sendable_) [[unlikely]] sent_wrongly(target);
    return port_.link_to(target);
  }
  /// Ends the job unless a limit of try_send lets anything through.
  void check_limit(std::uint64_t n_unsent_max) const;

  void make_room(link_end& link);
  void make_room(link_end& link, const item_kind& kind);
  template <class T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    return port_.write_run(link, kind, value);
  }
  bool try_make_room(link_end& link);
  template <class T>
  void write(link_end& link, const T& value) noexcept {
    port_.write(link, value);
  }

  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;

  /// What the mailbox's messages are, for reports.
  virtual std::string describe_message() const { return message_name_; }

  /// Handles the messages of `b` from `from` on; may throw what a handler throws.
  virtual void handle(const buffer& b, position& from, std::uint64_t& n_items) = 0;

  world& home() const noexcept { return home_; }
  exchange& through() const noexcept { return port_.through(); }

private:
  friend class world;

  void sent_wrongly(pe_id target) const;
  when_full policy() const noexcept;
  void begin_superstep(std::size_t depth);
  void await();          // the main program waits in finish: only handlers send from now on
  void end_superstep();

  // PEs that the main program may send to: all of them or, when it may not send at all, none; so that the
  // range check of every send answers both questions.
  std::uint64_t n_sendable_ = 0;
  port port_;
  world& home_;
  state state_ = state::dormant;
  bool is_in_scope_ = false;
  std::size_t depth_ = 0;  // of the finish whose superstep this is; 0: the outermost
  std::uint64_t n_sent_before_ = 0;     // counts when this superstep began
  std::uint64_t n_handled_before_ = 0;
  std::string actor_name_;
  std::string message_name_;
};

/// A mailbox of messages of one type, handled by `H`, with an optional prefetch hook.
template <class M, class H, class P = no_prefetch>
class typed_mailbox : public mailbox {
  static_assert(message<M>, "a message travels as bytes: make it trivially copyable, without pointers or references");

public:
  typed_mailbox(world& home, std::string actor_name, std::string message_name, H on_message,
                P prefetch = {})
      : mailbox(home, std::move(actor_name), std::move(message_name),
                {.bytes = sizeof(M), .align = alignof(M)}),
        handle_(std::move(on_message)),
        prefetch_(std::move(prefetch)) {}
  ~typed_mailbox() { end_life(); }

  /// Sends `m` to PE `target`. From the main program it may wait for room and let handlers run
  /// meanwhile; from a handler it neither waits nor runs one. Legal in a superstep, from the main program
  /// only before `done`.
  void send(pe_id target, const M& m) {
    link_end& link = link_to(target);
    if (link.cursor == link.limit) [[unlikely]] make_room(link);
    write(link, m);
  }

  /// Like send, but never waits and never goes beyond the credits: false means not now, and nothing
  /// was sent. Also false while more than the limit of try_send's messages are unsent on this PE.
  [[nodiscard]] bool try_send(pe_id target, const M& m) {
    link_end& link = link_to(target);
    // Signed: what send sent does not count as tried.
    if (static_cast<std::int64_t>(n_tried_ - counts().n_sent) >= n_unsent_max_) return false;
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
    n_tried_ = counts().n_sent;
  }

private:
  void handle(const buffer& b, position& from, std::uint64_t& n_items) final {
    exchange& ex = through();
    const std::byte* const begin = b.payload() + from.offset;
    const std::byte* stop = begin;
    ex.delivery_end = b.payload() + b.header.bytes;
    stop = detail::handle_all<M>(handle_, prefetch_, ex, begin, b.header.source);
    n_items = static_cast<std::uint64_t>(stop - begin) / sizeof(M);
    from.offset = static_cast<std::uint32_t>(stop - b.payload());
  }

  H handle_;
  [[no_unique_address]] P prefetch_;
  std::int64_t n_unsent_max_ = INT64_MAX;
  std::uint64_t n_tried_ = 0;
};

}  // namespace shoal
