/// An actor that checks what every actor promises while a test says what its messages do.
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
  bool is_handling = false;  // some handler of this PE runs
  std::int64_t step = 0;     // counted by the main program, which alone changes it between supersteps
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

/// Messages carry a number per (sender, receiver), whoever sends, main program or handler; so a message
/// that is lost, comes twice, in the wrong order, at the wrong PE or in another superstep is found.
template <class Payload>
class checked_actor {
public:
  using handler_body = std::function<void(const Payload&, pe_id from)>;

  checked_actor(world& w, pe_watch& watch, handler_body body, const std::string& name = "checked")
      : world_(w),
        watch_(watch),
        body_(std::move(body)),
        sent_(w.n_pes()),
        handled_(w.n_pes()),
        actor_(w, handle{this}, {}, name) {}

  void send(pe_id to, const Payload& payload) {
    const bool is_handler = watch_.is_handling;
    actor_.send(to, {world_.my_pe(), to, sent_.take(to), watch_.step, payload});
    EXPECT_EQ(watch_.is_handling, is_handler);
  }

  bool try_send(pe_id to, const Payload& payload) {
    if (!actor_.try_send(to, {world_.my_pe(), to, sent_.next(to), watch_.step, payload})) return false;
    sent_.take(to);
    return true;
  }

  void limit_unsent(std::uint64_t n) { actor_.limit_unsent(n); }
  void done() { actor_.done(); }
  const port_counts& counts() const { return actor_.counts(); }

  std::uint64_t n_handled() const {
    std::uint64_t n = 0;
    for (const std::uint64_t each : handled_.all()) n += each;
    return n;
  }

  /// Collective, outside the superstep: everything sent by anybody has been handled where it belongs.
  void expect_all_handled() {
    for (pe_id sender = 0; sender < world_.n_pes(); ++sender) {
      std::vector<std::uint64_t> sent = sent_.all();
      world_.broadcast(std::span<std::uint64_t>(sent), sender);
      EXPECT_EQ(handled_.next(sender), sent[static_cast<std::size_t>(world_.my_pe())])
          << "messages from PE " << sender;
    }
  }

private:
  struct message {
    std::int64_t from;
    std::int64_t to;
    std::uint64_t number;
    std::int64_t step;
    Payload payload;
  };

  struct handle {
    checked_actor* self;
    void operator()(const message& m, pe_id from) const { self->check(m, from); }
  };

  void check(const message& m, pe_id from) {
    EXPECT_EQ(m.from, from);
    EXPECT_EQ(m.to, world_.my_pe());
    EXPECT_EQ(m.number, handled_.take(from)) << "from PE " << from;
    EXPECT_EQ(m.step, watch_.step) << "a message of another superstep";
    const Payload payload = m.payload;
    {
      const handler_mark mark(watch_);
      body_(payload, from);
    }
  }

  world& world_;
  pe_watch& watch_;
  handler_body body_;
  numbering sent_;
  numbering handled_;
  actor<handle, message> actor_;
};

}  // namespace shoal::test
