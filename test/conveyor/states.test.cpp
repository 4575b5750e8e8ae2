// Goal: each call of a conveyor does what the contract says in each of the five states, or ends the job with
// one line that names the call and the state. Method: PE 0 of two is brought into a state and makes one call.
// labels: sim
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "shoal/conveyor/conveyor.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

using numbers = conveyor<std::int64_t>;
using state = conveyor_state;

constexpr std::array<const char*, 5> state_names{"dormant", "working", "endgame", "cleanup", "complete"};

std::string name_of(state s) { return state_names[static_cast<std::size_t>(s)]; }

// PE 0 pushes one item to each PE, and PE 1 pushes one to it, so that two can be pulled.
void reach(numbers& c, state wanted) {
  if (wanted == state::dormant) return;
  c.begin();
  if (wanted == state::working) return;
  EXPECT_TRUE(c.push(10, 0));
  EXPECT_TRUE(c.push(11, 1));
  c.advance(true);  // PE 1 has not begun yet
  while (c.state() != wanted) {
    c.advance(false);  // the promise holds
    if (wanted == state::complete) static_cast<void>(c.pull());
  }
}

// The other PE comes late and does the usual loop.
void follow(world& w, numbers& c) {
  w.charge_ns(1'000'000);
  c.begin();
  EXPECT_TRUE(c.push(20, 0));
  while (c.advance(true) != progress::complete) static_cast<void>(c.pull());
  c.reset();
}

void leave(numbers& c) {
  if (c.state() == state::dormant) c.begin();
  while (c.advance(true) != progress::complete) static_cast<void>(c.pull());
  c.reset();
}

template <class Call>
void in_state(state wanted, const Call& call) {
  SCOPED_TRACE(name_of(wanted));
  run_job(simulated(2), [&](world& w) {
    numbers c{w};
    if (w.my_pe() != 0) return follow(w, c);
    reach(c, wanted);
    EXPECT_EQ(c.state(), wanted);
    call(c);
    leave(c);
  });
}

template <class Call>
void expect_refusal(state wanted, const Call& call, const std::string& text) {
  SCOPED_TRACE(name_of(wanted));
  const settings chosen = simulated(2);
  const outcome end = outcome_of(chosen, [&](world& w) {
    numbers c{w};
    if (w.my_pe() != 0) return follow(w, c);
    reach(c, wanted);
    call(c);
  });
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.error, "shoal: PE 0: conveyor: " + text + simulated_by(chosen));
}

template <class Call>
void expect_illegal(const std::string& name, std::initializer_list<state> where, const Call& call) {
  for (const state s : where) {
    expect_refusal(s, call, name + " is illegal while " + name_of(s) + " (docs/contract.md has the states)");
  }
}

TEST(conveyor_states, begin_is_for_dormant_ones) {
  in_state(state::dormant, [](numbers& c) {
    c.begin();
    EXPECT_EQ(c.state(), state::working);
  });
  expect_illegal("begin", {state::working, state::endgame, state::cleanup, state::complete},
                 [](numbers& c) { c.begin(); });
}

TEST(conveyor_states, push_is_for_working_ones) {
  in_state(state::working, [](numbers& c) {
    EXPECT_TRUE(c.push(1, 0));
    EXPECT_TRUE(c.push(2, 1));
  });
  expect_illegal("push", {state::dormant, state::endgame, state::cleanup, state::complete},
                 [](numbers& c) { static_cast<void>(c.push(1, 1)); });
}

TEST(conveyor_states, push_out_of_range_is_refused) {
  expect_refusal(
      state::working, [](numbers& c) { static_cast<void>(c.push(1, 2)); },
      "push to PE 2, which is out of range; PEs are 0 to 1");
  expect_refusal(
      state::working, [](numbers& c) { static_cast<void>(c.push(1, -1)); },
      "push to PE -1, which is out of range; PEs are 0 to 1");
}

TEST(conveyor_states, pull_is_for_all_but_dormant_ones) {
  in_state(state::working, [](numbers& c) { EXPECT_EQ(c.pull(), nullptr); });
  in_state(state::endgame, [](numbers& c) {
    const std::int64_t* own = c.pull();
    ASSERT_NE(own, nullptr);
    EXPECT_EQ(*own, 10);
    EXPECT_EQ(c.pull(), nullptr);
  });
  in_state(state::cleanup, [](numbers& c) {
    pe_id from = -1;
    std::int64_t sum = 0;
    while (const std::int64_t* item = c.pull(from)) {
      EXPECT_EQ(*item, from == 0 ? 10 : 20);
      sum += *item;
    }
    EXPECT_EQ(sum, 30);
  });
  in_state(state::complete, [](numbers& c) { EXPECT_EQ(c.pull(), nullptr); });
  expect_illegal("pull", {state::dormant}, [](numbers& c) { static_cast<void>(c.pull()); });
}

TEST(conveyor_states, unpull_puts_back_the_last_item_of_an_open_session) {
  in_state(state::working, [](numbers& c) { EXPECT_FALSE(c.unpull()) << "nothing was pulled"; });
  for (const state s : {state::endgame, state::cleanup}) {
    in_state(s, [](numbers& c) {
      const std::int64_t first = *c.pull();
      EXPECT_TRUE(c.unpull());
      EXPECT_FALSE(c.unpull());
      EXPECT_EQ(*c.pull(), first);
    });
  }
  in_state(state::cleanup, [](numbers& c) {
    static_cast<void>(c.pull());
    const std::int64_t second = *c.pull();
    EXPECT_EQ(c.pull(), nullptr);
    EXPECT_TRUE(c.unpull()) << "a pull that failed changes nothing";
    EXPECT_EQ(c.advance(true), progress::cleanup) << "there is an item to pull again";
    EXPECT_EQ(*c.pull(), second);
  });
  in_state(state::complete, [](numbers& c) { EXPECT_FALSE(c.unpull()); });
  expect_illegal("unpull", {state::dormant}, [](numbers& c) { c.unpull(); });
}

TEST(conveyor_states, advance_is_for_all_but_dormant_ones) {
  in_state(state::working, [](numbers& c) {
    EXPECT_EQ(c.advance(false), progress::working);
    EXPECT_EQ(c.state(), state::working);
    EXPECT_EQ(c.advance(true), progress::working);
    EXPECT_EQ(c.state(), state::endgame);
  });
  in_state(state::endgame, [](numbers& c) {
    EXPECT_EQ(c.advance(false), progress::working);
    EXPECT_EQ(c.state(), state::endgame);
  });
  in_state(state::cleanup, [](numbers& c) {
    EXPECT_EQ(c.advance(false), progress::cleanup);
    static_cast<void>(c.pull());
    EXPECT_EQ(c.advance(true), progress::cleanup);
    static_cast<void>(c.pull());
    EXPECT_EQ(c.advance(true), progress::complete);
    EXPECT_EQ(c.state(), state::complete);
  });
  in_state(state::complete, [](numbers& c) { EXPECT_EQ(c.advance(false), progress::complete); });
  expect_illegal("advance", {state::dormant}, [](numbers& c) { c.advance(true); });
}

TEST(conveyor_states, reset_is_for_complete_and_dormant_ones) {
  for (const state s : {state::dormant, state::complete}) {
    SCOPED_TRACE(name_of(s));
    run_job(simulated(2), [&](world& w) {
      numbers c{w};
      if (w.my_pe() != 0) return s == state::complete ? follow(w, c) : void();
      reach(c, s);
      c.reset();
      EXPECT_EQ(c.state(), state::dormant);
      c.reset();
    });
  }
  expect_illegal("reset", {state::working, state::endgame, state::cleanup}, [](numbers& c) { c.reset(); });
}

TEST(conveyor_states, counts_say_what_happened) {
  run_job(simulated(2), [](world& w) {
    numbers c{w};
    for (int session = 0; session < 2; ++session) {
      c.begin();
      for (int i = 0; i < 5; ++i) EXPECT_TRUE(c.push(i, 1 - w.my_pe()));
      while (c.advance(true) != progress::complete) {
        if (c.pull() != nullptr && c.unpull()) static_cast<void>(c.pull());
      }
      c.reset();
    }
    const conveyor_counts counts = c.counts();
    EXPECT_EQ(counts.n_sessions, 2U);
    EXPECT_EQ(counts.n_pushed, 10U);
    EXPECT_EQ(counts.n_pulled, 10U);
    EXPECT_EQ(counts.n_unpulled, 10U);
    EXPECT_GE(counts.n_buffers, 2U);
    EXPECT_GE(counts.n_bytes, 10 * sizeof(std::int64_t));
    EXPECT_GE(counts.n_advances, 4U);
  });
}

}  // namespace
}  // namespace shoal::test
