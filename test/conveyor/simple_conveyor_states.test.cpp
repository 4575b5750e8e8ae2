// Goal: each call of a simple conveyor does what the contract says in each of the five states, or ends the job with one
// line that names the call and the state. Method: both PEs of two are brought into a state, because advance is
// collective, and PE 0 makes one call.
// labels: sim
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "shoal/conveyor/kinds/simple_conveyor.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test::simple_conveyor_states {
namespace {

using numbers = simple_conveyor<std::int64_t>;
using state = conveyor_state;

constexpr std::array<const char*, 5> state_names{"dormant", "working", "endgame", "cleanup", "complete"};

std::string name_of(state s) { return state_names[static_cast<std::size_t>(s)]; }

// Each PE pushes one item to each PE. In the endgame, the PE that is done waits for one that is not.
void reach(world& w, numbers& c, state wanted) {
  if (wanted == state::dormant) return;
  c.begin();
  if (wanted == state::working) return;
  EXPECT_TRUE(c.push(10 * w.my_pe(), 0));
  EXPECT_TRUE(c.push(10 * w.my_pe(), 1));
  if (wanted == state::endgame) {
    EXPECT_EQ(c.advance(w.my_pe() == 0), progress::working);
    return;
  }
  EXPECT_EQ(c.advance(true), progress::cleanup);
  if (wanted == state::complete) {
    while (c.pull() != nullptr) {
    }
    EXPECT_EQ(c.advance(false), progress::complete);
  }
}

// All PEs together end the session, if they reached one.
void leave(numbers& c) {
  if (c.state() == state::dormant) return;
  do {
    while (c.pull() != nullptr) {
    }
  } while (c.advance(true) != progress::complete);
  c.reset();
}

template <class Call>
void in_state(state wanted, const Call& call) {
  SCOPED_TRACE(name_of(wanted));
  run_job(simulated(2), [&](world& w) {
    numbers c{w, {.capacity_items = 2}};
    reach(w, c, wanted);
    if (w.my_pe() == 0) {
      EXPECT_EQ(c.state(), wanted);
      call(c);
    }
    leave(c);
  });
}

template <class Call>
void expect_refusal(state wanted, const Call& call, const std::string& text) {
  SCOPED_TRACE(name_of(wanted));
  const settings chosen = simulated(2);
  const outcome end = outcome_of(chosen, [&](world& w) {
    numbers c{w, {.capacity_items = 2}};
    reach(w, c, wanted);
    if (w.my_pe() == 0) call(c);
    leave(c);
  });
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.error, "shoal: PE 0: simple_conveyor: " + text + simulated_by(chosen));
}

template <class Call>
void expect_illegal(const std::string& name, std::initializer_list<state> where, const Call& call) {
  for (const state s : where) {
    expect_refusal(s, call, name + " is illegal while " + name_of(s) + " (docs/contract.md has the states)");
  }
}

TEST(simple_conveyor_states, begin_is_for_dormant_ones) {
  run_job(simulated(2), [](world& w) {
    numbers c{w};
    c.begin();
    EXPECT_EQ(c.state(), state::working);
    leave(c);
  });
  expect_illegal("begin", {state::working, state::endgame, state::cleanup, state::complete},
                 [](numbers& c) { c.begin(); });
}

TEST(simple_conveyor_states, push_is_for_working_ones) {
  in_state(state::working, [](numbers& c) {
    EXPECT_TRUE(c.push(1, 1));
    EXPECT_TRUE(c.push(2, 1));
    EXPECT_FALSE(c.push(3, 1)) << "two fit";
    EXPECT_TRUE(c.push(4, 0)) << "but to another PE";
  });
  expect_illegal("push", {state::dormant, state::endgame, state::cleanup, state::complete},
                 [](numbers& c) { static_cast<void>(c.push(1, 1)); });
}

TEST(simple_conveyor_states, push_out_of_range_is_refused) {
  expect_refusal(
      state::working, [](numbers& c) { static_cast<void>(c.push(1, 2)); },
      "push to PE 2, which is out of range; PEs are 0 to 1");
  expect_refusal(
      state::working, [](numbers& c) { static_cast<void>(c.push(1, -1)); },
      "push to PE -1, which is out of range; PEs are 0 to 1");
}

TEST(simple_conveyor_states, pull_is_for_all_but_dormant_ones) {
  in_state(state::working, [](numbers& c) { EXPECT_EQ(c.pull(), nullptr); });
  for (const state s : {state::endgame, state::cleanup}) {
    in_state(s, [](numbers& c) {
      EXPECT_EQ(*c.pull(), 0);
      EXPECT_EQ(*c.pull(), 10);
      EXPECT_EQ(c.pull(), nullptr);
    });
  }
  in_state(state::complete, [](numbers& c) { EXPECT_EQ(c.pull(), nullptr); });
  expect_illegal("pull", {state::dormant}, [](numbers& c) { static_cast<void>(c.pull()); });
}

TEST(simple_conveyor_states, unpull_puts_back_the_last_item_of_an_open_session) {
  in_state(state::working, [](numbers& c) { EXPECT_FALSE(c.unpull()) << "nothing was pulled"; });
  in_state(state::cleanup, [](numbers& c) {
    EXPECT_FALSE(c.unpull()) << "nothing was pulled";
    static_cast<void>(c.pull());
    EXPECT_EQ(*c.pull(), 10);
    EXPECT_TRUE(c.unpull());
    EXPECT_FALSE(c.unpull());
    EXPECT_EQ(c.advance(true), progress::cleanup) << "there is an item to pull again";
    EXPECT_EQ(*c.pull(), 10);
    EXPECT_EQ(c.pull(), nullptr);
    EXPECT_TRUE(c.unpull()) << "a pull that failed changes nothing";
  });
  in_state(state::complete, [](numbers& c) { EXPECT_FALSE(c.unpull()); });
  expect_illegal("unpull", {state::dormant}, [](numbers& c) { c.unpull(); });
}

TEST(simple_conveyor_states, advance_is_local_from_cleanup_on) {
  in_state(state::cleanup, [](numbers& c) {
    EXPECT_EQ(c.advance(false), progress::cleanup);
    while (c.pull() != nullptr) {
    }
    EXPECT_EQ(c.advance(true), progress::complete);
    EXPECT_EQ(c.state(), state::complete);
  });
  in_state(state::complete, [](numbers& c) { EXPECT_EQ(c.advance(false), progress::complete); });
  expect_illegal("advance", {state::dormant}, [](numbers& c) { c.advance(true); });
}

TEST(simple_conveyor_states, reset_is_for_complete_and_dormant_ones) {
  in_state(state::dormant, [](numbers& c) { c.reset(); });
  in_state(state::complete, [](numbers& c) {
    c.reset();
    EXPECT_EQ(c.state(), state::dormant);
    c.reset();
    EXPECT_EQ(c.state(), state::dormant);
  });
  expect_illegal("reset", {state::working, state::endgame, state::cleanup}, [](numbers& c) { c.reset(); });
}

// No PE requests an exchange before a buffer is full or the PE is done, unless the conveyor is steady.
TEST(simple_conveyor_states, an_exchange_waits_for_somebody_who_wants_it) {
  for (const bool steady : {false, true}) {
    run_job(simulated(2), [&](world& w) {
      numbers c{w, {.capacity_items = 2, .steady = steady}};
      c.begin();
      EXPECT_TRUE(c.push(1, 1 - w.my_pe()));
      EXPECT_EQ(c.advance(false), progress::working);
      EXPECT_EQ(c.pull() != nullptr, steady);
      EXPECT_TRUE(c.push(2, 1 - w.my_pe()));
      EXPECT_EQ(c.advance(false), progress::working);
      EXPECT_NE(c.pull(), nullptr);
      EXPECT_EQ(c.pull() != nullptr, !steady);
      leave(c);
    });
  }
}

// A PE that has items left to pull delays the exchange, and nothing is lost.
TEST(simple_conveyor_states, an_exchange_waits_for_all_to_have_pulled) {
  run_job(simulated(2), [](world& w) {
    const pe_id other = 1 - w.my_pe();
    numbers c{w, {.capacity_items = 1}};
    c.begin();
    EXPECT_TRUE(c.push(1, other));
    EXPECT_EQ(c.advance(false), progress::working);
    EXPECT_TRUE(c.push(2, other));
    EXPECT_TRUE(w.my_pe() == 1 || *c.pull() == 1);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(c.advance(false), progress::working);
      EXPECT_FALSE(c.push(3, other)) << "full, and not exchanged";
    }
    EXPECT_TRUE(w.my_pe() == 0 || *c.pull() == 1);
    EXPECT_EQ(c.advance(false), progress::working);
    EXPECT_EQ(*c.pull(), 2);
    EXPECT_TRUE(c.push(3, other));
    EXPECT_EQ(c.advance(true), progress::cleanup);
    EXPECT_EQ(*c.pull(), 3);
    leave(c);
  });
}

void expect_end(std::int64_t n_pes, const job_body& body, const std::string& text) {
  const settings chosen = simulated(n_pes);
  const outcome end = outcome_of(chosen, body);
  EXPECT_EQ(end.status, 2);
  EXPECT_NE(end.error.find(text), std::string::npos) << end.error;
}

TEST(simple_conveyor_states, other_collective_calls_meanwhile_are_told) {
  expect_end(
      2,
      [](world& w) {
        numbers c{w};
        c.begin();
        if (w.my_pe() == 0) c.advance(true);
        w.barrier();
      },
      "collective calls do not match: PE 1 is in ");
  expect_end(
      2,
      [](world& w) {
        numbers c{w};
        c.begin();
        if (w.my_pe() == 1) c.advance(true);
        w.sum(std::int64_t{1});
      },
      "collective calls do not match: PE 1 is in ");
}

TEST(simple_conveyor_states, conveyors_out_of_order_are_told) {
  expect_end(
      2,
      [](world& w) {
        numbers a{w};
        numbers b{w};
        a.begin();
        b.begin();
        static_cast<void>((w.my_pe() == 0 ? a : b).advance(true));
      },
      "collective calls do not match: PE 1 is in advance of simple_conveyor 1 while PE 0 is in advance "
      "of simple_conveyor 0; all PEs must make the same collective calls in the same order");
}

TEST(simple_conveyor_states, no_capacity_and_different_ones_are_told) {
  expect_end(1, [](world& w) { const numbers c(w, {.capacity_items = 0}); }, "room for 0 items");
  expect_end(
      2,
      [](world& w) {
        numbers c{w, {.capacity_items = w.my_pe() == 0 ? 1U : 2U}};
        c.begin();
        for (int i = 0; i < 2; ++i) static_cast<void>(c.push(i, 0));
        c.advance(true);
      },
      "PE 1 sent more than the 1 items that there is room for; all PEs must give the same capacity");
}

TEST(simple_conveyor_states, counts_say_what_happened) {
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
}  // namespace shoal::test::simple_conveyor_states
