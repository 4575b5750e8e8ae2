// Parallel handlers: every message is handled exactly once on its PE, whichever worker handles it, and all that handlers leave
// counts for their superstep. What calls share is atomic, so each claim holds on real threads, too.
#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/selector.hpp"
#include "shoal/base/random.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "shoal/task/parallel_handler.hpp"
#include "shoal/task/task.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// Lets a handler take so long that its buffers are worth lending; but not always, so that some are handled in place.
void work(world& w, std::uint64_t chosen_by) {
  if (chosen_by % 8 == 0) return;
  w.charge_ns(3'000);
  if (is_simulated(w.backend().kind())) return;
  std::atomic<int> n = 0;
  while (n.fetch_add(1, std::memory_order_relaxed) < 300) {
  }
}

void add(std::uint64_t& to, std::uint64_t n) { std::atomic_ref(to).fetch_add(n, std::memory_order_relaxed); }

struct checked_number {
  std::uint32_t number;
  std::uint32_t check;
};

constexpr std::uint32_t n_of_each = 200;  // messages from each PE to each

// How often each message of each PE was handled here.
class handled_once {
public:
  explicit handled_once(const world& w) : seen_(static_cast<std::size_t>(w.n_pes()) * n_of_each) {}

  void note(const checked_number& m, pe_id from) {
    EXPECT_EQ(m.check, mixed(m.number, from));
    seen_[static_cast<std::size_t>(from) * n_of_each + m.number].fetch_add(1, std::memory_order_relaxed);
  }
  void check() const {
    std::size_t n_wrong = 0;
    for (const std::atomic<int>& each : seen_) n_wrong += each != 1;
    EXPECT_EQ(n_wrong, 0U);
  }

  static std::uint32_t mixed(std::uint32_t number, pe_id from) {
    return number * 2654435761U + static_cast<std::uint32_t>(from);
  }

private:
  std::vector<std::atomic<int>> seen_;
};

template <class To>
void send_numbered(world& w, To& to) {
  for (std::uint32_t i = 0; i < n_of_each; ++i) {
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) to.send(pe, checked_number{i, handled_once::mixed(i, w.my_pe())});
  }
}

void each_message_is_handled_once(world& w, std::uint64_t seed) {
  handled_once seen(w);
  actor note{w, parallel_handler{[&](const checked_number& m, pe_id from) {
               work(w, m.number + seed);
               seen.note(m, from);
             }},
             [&](const checked_number&) { return &seen; }, "note"};
  w.finish([&] { send_numbered(w, note); });
  seen.check();
}

// A batch has one sender, whatever the route.
void batches_are_handled_once(world& w, std::uint64_t seed) {
  handled_once seen(w);
  actor note{w, parallel_handler{[&](std::span<const checked_number> batch, pe_id from) {
               work(w, batch.front().number + seed);
               for (const checked_number& m : batch) seen.note(m, from);
             }}};
  for (int i = 0; i < 2; ++i) {
    w.finish([&] {
      if (i == 0) send_numbered(w, note);
    });
  }
  seen.check();
}

// --- A selector: a parallel mailbox beside an ordinary one, which counts without a lock

struct asked {};

struct questioner : selector<questioner, tagged<asked, parallel<checked_number>>, checked_number> {
  questioner(world& w, std::uint64_t chosen_by) : selector(w), home(w), replies(w), seed(chosen_by) {}

  void process(asked, const checked_number& m, pe_id from) {
    work(home, m.number + seed);
    send(from, checked_number{m.number, handled_once::mixed(m.number, home.my_pe())});
  }
  void process(const checked_number& m, pe_id from) {
    EXPECT_FALSE(is_replying);
    is_replying = true;
    replies.note(m, from);
    is_replying = false;
  }

  world& home;
  handled_once replies;
  bool is_replying = false;
  std::uint64_t seed;
};

void parallel_handlers_reply(world& w, std::uint64_t seed) {
  questioner all(w, seed);
  w.finish([&] {
    for (std::uint32_t i = 0; i < n_of_each; ++i) {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) all.send<asked>(pe, checked_number{i, 0});
    }
  });
  all.replies.check();
}

// --- What handlers make

struct branch {
  std::uint64_t key;
  std::uint64_t depth;
};

// Handlers that send more than they receive, to themselves: neither workers nor the PE's own thread wait for ever.
void parallel_handlers_send_to_their_own_mailbox(world& w, std::uint64_t seed) {
  constexpr std::uint64_t depth = 7;
  std::uint64_t n = 0;
  std::optional<actor<parallel_handler<std::function<void(const branch&)>>, branch>> tree;
  tree.emplace(w, parallel_handler<std::function<void(const branch&)>>{[&](const branch& b) {
                 add(n, 1);
                 work(w, b.key);
                 if (b.depth == 0) return;
                 random_engine random(b.key, seed);
                 for (int i = 0; i < 2; ++i) {
                   tree->send(static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))),
                              branch{random(), b.depth - 1});
                 }
               }});
  w.finish([&] { tree->send(next_pe(w), branch{static_cast<std::uint64_t>(w.my_pe()) + seed, depth}); });
  EXPECT_EQ(w.sum(n), static_cast<std::uint64_t>(w.n_pes()) * ((1U << (depth + 1)) - 1));
}

// Tasks that they make, answers that these wait for, and what follows answers.
void what_parallel_handlers_leave_counts(world& w, std::uint64_t seed) {
  std::uint64_t n_tasks = 0;
  std::uint64_t n_answers = 0;
  actor begin{
      w, parallel_handler{[&](std::uint64_t number) {
        work(w, number + seed);
        async([&, number] { add(n_tasks, w.ask(next_pe(w), [number] { return number; }).get()); });
        w.ask(next_pe(w), [] { return std::uint64_t{1}; }).then([&](std::uint64_t one) { add(n_answers, one); });
      }}};
  constexpr std::uint64_t n = 60;
  w.finish([&] {
    for (std::uint64_t i = 0; i < n; ++i) begin.send(next_pe(w), i);
  });
  EXPECT_EQ(n_tasks, n * (n - 1) / 2);
  EXPECT_EQ(n_answers, n);
}

// A mailbox that is destroyed, or closed, in its superstep waits for what was lent.
void ends_wait_for_parallel_handlers(world& w, std::uint64_t seed) {
  handled_once first(w);
  handled_once second(w);
  w.finish([&] {
    {
      actor note{w, parallel_handler{[&](const checked_number& m, pe_id from) {
                   work(w, m.number + seed);
                   first.note(m, from);
                 }}};
      send_numbered(w, note);
    }
    first.check();
    actor note{w, parallel_handler{[&](const checked_number& m, pe_id from) {
                 work(w, m.number + seed);
                 second.note(m, from);
               }}};
    send_numbered(w, note);
    note.close();
    second.check();
  });
}

// Two calls that need each other, in two buffers, and never call Shoal: only two workers can run both.
void parallel_handlers_run_at_the_same_time(world& w, std::uint64_t) {
  if (w.chosen_settings().n_workers.value < 2 || is_simulated(w.backend().kind()))
    return;  // one thread alone would wait for ever
  std::atomic<int> n_there = 0;
  struct wide {
    std::array<std::uint64_t, 6> fills_a_slot;
  };
  actor meet{w, parallel_handler{[&](const wide&) {
               ++n_there;
               while (n_there < 2) ::sched_yield();
             }}};
  w.finish([&] {
    for (int i = 0; i < 2; ++i) {
      meet.send(w.my_pe(), wide{});
      meet.limit_latency(0);  // which posts it
    }
  });
  EXPECT_EQ(n_there, 2);
}

}  // namespace

std::vector<claim> parallel_claims() {
  return {{.name = "each_message_is_handled_once", .check = each_message_is_handled_once, .n_streams = 2},
          {.name = "batches_are_handled_once", .check = batches_are_handled_once, .n_streams = 2},
          {.name = "parallel_handlers_reply", .check = parallel_handlers_reply, .n_streams = 3},
          {.name = "parallel_handlers_send_to_their_own_mailbox",
           .check = parallel_handlers_send_to_their_own_mailbox,
           .n_streams = 2},
          {.name = "what_parallel_handlers_leave_counts", .check = what_parallel_handlers_leave_counts, .n_streams = 2},
          {.name = "ends_wait_for_parallel_handlers", .check = ends_wait_for_parallel_handlers, .n_streams = 3},
          {.name = "parallel_handlers_run_at_the_same_time",
           .check = parallel_handlers_run_at_the_same_time,
           .n_streams = 2}};
}

}  // namespace shoal::test
