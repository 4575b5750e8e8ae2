/// An actor that checks what every actor promises while a test says what its messages do, and the books of such actors.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/world.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {

/// What the handlers of one PE know of one another and of the superstep.
struct pe_watch {
  bool is_handling = false;  // a handler of this PE is running
  std::int64_t step = 0;  // counted by the main program, which changes it only between supersteps
};

/// Marks the run of a handler; it must not begin inside another one.
class handler_mark {
public:
  explicit handler_mark(pe_watch& watch) : watch_(watch) {
    EXPECT_FALSE(watch_.is_handling) << "a handler ran inside another one";
    watch_.is_handling = true;
  }
  ~handler_mark() { watch_.is_handling = false; }
  handler_mark(const handler_mark&) = delete;
  handler_mark& operator=(const handler_mark&) = delete;

private:
  pe_watch& watch_;
};

/// What each message says about itself. While the main program's send waits for room, handlers run and their sends come
/// first. So the main program and the handlers of a PE count apart, and each message says how many of the other kind
/// had been sent before its send began.
struct message_label {
  std::int32_t from;
  std::int32_t to;
  std::uint32_t number;  // among those from this sender to this receiver, of its kind
  std::uint32_t is_from_handler;
  std::uint64_t n_others;
  std::int64_t step;
};

/// What one PE has sent and handled. Finds a message that is lost, comes twice, in the wrong order, at the wrong PE or
/// in another superstep.
class message_books {
public:
  message_books(world& w, const pe_watch& watch)
      : world_(w),
        watch_(watch),
        sent_{numbering(w.n_pes()), numbering(w.n_pes())},
        handled_{numbering(w.n_pes()), numbering(w.n_pes())} {}

  /// The label of the next message to this PE.
  message_label next(pe_id to) const {
    const bool is_handler = watch_.is_handling;
    return {static_cast<std::int32_t>(world_.my_pe()),
            static_cast<std::int32_t>(to),
            static_cast<std::uint32_t>(sent_[is_handler].next(to)),
            is_handler,
            sent_[!is_handler].next(to),
            watch_.step};
  }
  /// After a send, which must have left the handler or the main program where it was.
  void count_sent(const message_label& m) {
    EXPECT_EQ(watch_.is_handling, m.is_from_handler != 0);
    sent_[m.is_from_handler].take(m.to);
  }

  void take(const message_label& m, pe_id from) {
    EXPECT_EQ(m.from, from);
    EXPECT_EQ(m.to, world_.my_pe());
    EXPECT_EQ(m.number, handled_[m.is_from_handler].take(from)) << "from PE " << from;
    EXPECT_LE(m.n_others, handled_[1 - m.is_from_handler].next(from)) << "from PE " << from;
    EXPECT_EQ(m.step, watch_.step) << "a message of another superstep";
  }

  std::uint64_t n_handled() const {
    std::uint64_t n = 0;
    for (const numbering& kind : handled_) {
      for (const std::uint64_t each : kind.all()) n += each;
    }
    return n;
  }

  /// Collective, outside the superstep: everything sent by anybody has been handled where it belongs.
  void expect_all_handled() {
    for (pe_id sender = 0; sender < world_.n_pes(); ++sender) {
      for (std::size_t kind = 0; kind < 2; ++kind) {
        std::vector<std::uint64_t> sent = sent_[kind].all();
        world_.broadcast(std::span<std::uint64_t>(sent), sender);
        EXPECT_EQ(handled_[kind].next(sender), sent[static_cast<std::size_t>(world_.my_pe())])
            << "messages from " << (kind == 0 ? "the main program" : "handlers") << " of PE " << sender;
      }
    }
  }

private:
  world& world_;
  const pe_watch& watch_;
  numbering sent_[2];  // by the main program and by handlers
  numbering handled_[2];
};

/// An actor whose messages are labelled and checked.
template <class Payload>
class checked_actor {
public:
  using handler_body = std::function<void(const Payload&, pe_id from)>;

  checked_actor(world& w, pe_watch& watch, handler_body body, const std::string& name = "checked")
      : watch_(watch), body_(std::move(body)), books_(w, watch), actor_(w, handle{this}, {}, name) {}

  void send(pe_id to, const Payload& payload) {
    const message m{books_.next(to), payload};
    actor_.send(to, m);
    books_.count_sent(m.label);
  }

  bool try_send(pe_id to, const Payload& payload) {
    const message m{books_.next(to), payload};
    if (!actor_.try_send(to, m)) return false;
    books_.count_sent(m.label);
    return true;
  }

  void limit_unsent(std::uint64_t n) { actor_.limit_unsent(n); }
  void done() { actor_.done(); }
  void close() { actor_.close(); }
  mailbox::state current_state() const { return actor_.current_state(); }
  stream_counts counts() const { return actor_.counts(); }
  std::uint64_t n_handled() const { return books_.n_handled(); }
  void expect_all_handled() { books_.expect_all_handled(); }

private:
  struct message {
    message_label label;
    Payload payload;
  };

  struct handle {
    checked_actor* self;
    void operator()(const message& m, pe_id from) const { self->check(m, from); }
  };

  void check(const message& m, pe_id from) {
    books_.take(m.label, from);
    const Payload payload = m.payload;
    const handler_mark mark(watch_);
    body_(payload, from);
  }

  pe_watch& watch_;
  handler_body body_;
  message_books books_;
  actor<handle, message> actor_;
};

}  // namespace shoal::test
