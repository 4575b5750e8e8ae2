// Goal: each call of a biconveyor does what the contract says in each of the five states, or ends the job with
// one line that names the call and the state. Method: PE 0 of two is brought into a state and makes one call.
// labels: sim
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "shoal/actor/actor.hpp"
#include "shoal/conveyor/kinds/biconveyor.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

using doubler = biconveyor<std::int64_t, std::int64_t>;
using state = conveyor_state;

constexpr std::array<const char*, 5> state_names{"dormant", "working", "endgame", "cleanup", "complete"};

std::string name_of(state s) { return state_names[static_cast<std::size_t>(s)]; }

std::int64_t twice(std::int64_t q) { return 2 * q; }

// PE 0 queries each PE once, so that replies of 20 and 22 can be pulled.
void reach(doubler& b, state wanted) {
  if (wanted == state::dormant) return;
  b.begin(twice);
  if (wanted == state::working) return;
  EXPECT_TRUE(b.push(10, 0));
  EXPECT_TRUE(b.push(11, 1));
  b.advance(true);  // PE 1 has not begun yet
  while (b.state() != wanted) {
    b.advance(false);  // the promise holds
    if (wanted == state::complete) static_cast<void>(b.pull());
  }
}

// The other PE comes late and does the usual loop.
void follow(world& w, doubler& b) {
  w.charge_ns(1'000'000);
  b.begin(twice);
  EXPECT_TRUE(b.push(20, 0));
  while (b.advance(true) != progress::complete) static_cast<void>(b.pull());
  b.reset();
}

void leave(doubler& b) {
  if (b.state() == state::dormant) b.begin(twice);
  while (b.advance(true) != progress::complete) static_cast<void>(b.pull());
  b.reset();
}

template <class Call>
void in_state(state wanted, const Call& call) {
  SCOPED_TRACE(name_of(wanted));
  run_job(simulated(2), [&](world& w) {
    doubler b{w};
    if (w.my_pe() != 0) return follow(w, b);
    reach(b, wanted);
    EXPECT_EQ(b.state(), wanted);
    call(b);
    leave(b);
  });
}

template <class Call>
void expect_refusal(state wanted, const Call& call, const std::string& text) {
  SCOPED_TRACE(name_of(wanted));
  const settings chosen = simulated(2);
  const outcome end = outcome_of(chosen, [&](world& w) {
    doubler b{w};
    if (w.my_pe() != 0) return follow(w, b);
    reach(b, wanted);
    call(b);
  });
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.error, "shoal: PE 0: biconveyor: " + text + simulated_by(chosen));
}

template <class Call>
void expect_illegal(const std::string& name, std::initializer_list<state> where, const Call& call) {
  for (const state s : where) {
    expect_refusal(s, call, name + " is illegal while " + name_of(s) + " (docs/contract.md has the states)");
  }
}

TEST(biconveyor_states, begin_is_for_dormant_ones) {
  in_state(state::dormant, [](doubler& b) {
    b.begin([](std::int64_t q, pe_id) { return 2 * q; });
    EXPECT_EQ(b.state(), state::working);
  });
  expect_illegal("begin", {state::working, state::endgame, state::cleanup, state::complete},
                 [](doubler& b) { b.begin(twice); });
}

TEST(biconveyor_states, push_is_for_working_ones) {
  in_state(state::working, [](doubler& b) {
    EXPECT_TRUE(b.push(1, 0));
    EXPECT_TRUE(b.push(2, 1));
  });
  expect_illegal("push", {state::dormant, state::endgame, state::cleanup, state::complete},
                 [](doubler& b) { static_cast<void>(b.push(1, 1)); });
}

TEST(biconveyor_states, push_out_of_range_is_refused) {
  expect_refusal(
      state::working, [](doubler& b) { static_cast<void>(b.push(1, 2)); },
      "push to PE 2, which is out of range; PEs are 0 to 1");
  expect_refusal(
      state::working, [](doubler& b) { static_cast<void>(b.push(1, -1)); },
      "push to PE -1, which is out of range; PEs are 0 to 1");
}

TEST(biconveyor_states, pull_is_for_all_but_dormant_ones) {
  for (const state s : {state::working, state::endgame, state::complete}) {
    in_state(s, [](doubler& b) { EXPECT_EQ(b.pull(), nullptr); });
  }
  in_state(state::cleanup, [](doubler& b) {
    EXPECT_EQ(*b.pull(), 20);
    EXPECT_EQ(*b.pull(), 22);
    EXPECT_EQ(b.pull(), nullptr);
  });
  expect_illegal("pull", {state::dormant}, [](doubler& b) { static_cast<void>(b.pull()); });
}

TEST(biconveyor_states, advance_is_for_all_but_dormant_ones) {
  in_state(state::working, [](doubler& b) {
    EXPECT_EQ(b.advance(false), progress::working);
    EXPECT_EQ(b.state(), state::working);
    EXPECT_EQ(b.advance(true), progress::working);
    EXPECT_EQ(b.state(), state::endgame);
  });
  in_state(state::endgame, [](doubler& b) {
    EXPECT_EQ(b.advance(false), progress::working);
    EXPECT_EQ(b.state(), state::endgame);
  });
  in_state(state::cleanup, [](doubler& b) {
    EXPECT_EQ(b.advance(false), progress::cleanup);
    static_cast<void>(b.pull());
    EXPECT_EQ(b.advance(true), progress::cleanup);
    static_cast<void>(b.pull());
    EXPECT_EQ(b.advance(true), progress::complete);
    EXPECT_EQ(b.state(), state::complete);
  });
  in_state(state::complete, [](doubler& b) { EXPECT_EQ(b.advance(false), progress::complete); });
  expect_illegal("advance", {state::dormant}, [](doubler& b) { b.advance(true); });
}

TEST(biconveyor_states, reset_is_for_complete_and_dormant_ones) {
  for (const state s : {state::dormant, state::complete}) {
    SCOPED_TRACE(name_of(s));
    run_job(simulated(2), [&](world& w) {
      doubler b{w};
      if (w.my_pe() != 0) return s == state::complete ? follow(w, b) : void();
      reach(b, s);
      b.reset();
      EXPECT_EQ(b.state(), state::dormant);
      b.reset();
    });
  }
  expect_illegal("reset", {state::working, state::endgame, state::cleanup}, [](doubler& b) { b.reset(); });
}

TEST(biconveyor_states, a_full_window_refuses_until_a_reply_is_pulled) {
  run_job(simulated(1), [](world& w) {
    doubler b{w, {.window = 2}};
    b.begin(twice);
    EXPECT_TRUE(b.push(1, 0));
    EXPECT_TRUE(b.push(2, 0));
    EXPECT_FALSE(b.push(3, 0));
    const std::int64_t* reply = nullptr;
    while ((reply = b.pull()) == nullptr) {
      b.advance(false);
      EXPECT_FALSE(b.push(3, 0)) << "a reply that came takes its place until it is pulled";
    }
    EXPECT_EQ(*reply, 2);
    EXPECT_TRUE(b.push(3, 0));
    EXPECT_FALSE(b.push(4, 0));
    for (int i = 0; i < 100; ++i) b.advance(false);
    EXPECT_EQ(*reply, 2) << "readable until the next pull";
    EXPECT_EQ(*b.pull(), 4);
    EXPECT_EQ(*b.pull(), 6);
    EXPECT_EQ(b.counts().n_window_full, b.counts().n_advances - 100 + 2);
    leave(b);
  });
}

TEST(biconveyor_states, the_answer_is_let_go_at_reset) {
  run_job(simulated(1), [](world& w) {
    doubler b{w};
    const auto captured = std::make_shared<int>(1);
    b.begin([captured](std::int64_t q) { return q + *captured; });
    EXPECT_GT(captured.use_count(), 1);
    leave(b);
    EXPECT_EQ(captured.use_count(), 1);
  });
}

void expect_end(std::int64_t n_pes, const job_body& body, const std::string& text) {
  const settings chosen = simulated(n_pes);
  const outcome end = outcome_of(chosen, body);
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.error, "shoal: PE 0: " + text + simulated_by(chosen));
}

TEST(biconveyor_states, windows_out_of_range_are_refused) {
  expect_end(
      1, [](world& w) { const doubler b(w, {.window = 0}); },
      "biconveyor: a window of 0 queries is out of range; it is at least 1 and less than 2^32 - 1");
}

TEST(biconveyor_states, an_answer_does_not_advance) {
  expect_end(
      1,
      [](world& w) {
        doubler b{w};
        b.begin([&](std::int64_t q) {
          b.advance(false);
          return q;
        });
        EXPECT_TRUE(b.push(1, 0));
        while (b.advance(true) != progress::complete) {
        }
      },
      "biconveyor: advance in an answer, which is called in advance; an answer may push");
}

TEST(biconveyor_states, a_handler_does_not_advance) {
  expect_end(
      1,
      [](world& w) {
        doubler b{w};
        b.begin(twice);
        shoal::actor a{w, [&](std::int64_t) { b.advance(true); }};
        w.finish([&] { a.send(0, std::int64_t{1}); });
      },
      "actor lambda, message long: advance of biconveyor in a handler, where nothing may wait; do it in the "
      "main program");
}

TEST(biconveyor_states, counts_say_what_happened) {
  run_job(simulated(2), [](world& w) {
    doubler b{w};
    for (int session = 0; session < 2; ++session) {
      b.begin(twice);
      for (int i = 0; i < 5; ++i) EXPECT_TRUE(b.push(i, 1 - w.my_pe()));
      while (b.advance(true) != progress::complete) static_cast<void>(b.pull());
      b.reset();
    }
    const biconveyor_counts counts = b.counts();
    EXPECT_EQ(counts.n_sessions, 2U);
    EXPECT_EQ(counts.n_pushed, 10U);
    EXPECT_EQ(counts.n_answered, 10U);
    EXPECT_EQ(counts.n_pulled, 10U);
    EXPECT_EQ(counts.n_window_full, 0U);
    EXPECT_GE(counts.n_advances, 4U);
    EXPECT_EQ(counts.queries.n_pushed, 10U);
    EXPECT_EQ(counts.replies.n_pulled, 10U);
  });
}

}  // namespace
}  // namespace shoal::test
