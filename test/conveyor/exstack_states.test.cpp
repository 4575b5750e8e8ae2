// Goal: each call of both exstacks does what the contract says in each state, or ends the job with one line. Method: PE
// 0 of two is brought into a state, together with the other PE if that is collective, and makes one call.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

using numbers = exstack<std::int64_t>;
using numbers2 = exstack2<std::int64_t>;

const std::string see_states = " (docs/contract.md has the states)";

// `body` ends the job of two PEs on PE 0.
void expect_refusal(const job_body& body, const std::string& text) {
  SCOPED_TRACE(text);
  const settings chosen = simulated(2);
  const outcome end = outcome_of(chosen, body);
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.error, "shoal: PE 0: " + text + simulated_by(chosen));
}

// Both PEs bring a new object into the state; PE 0 makes the call.
template <class Call>
void expect_illegal(const std::string& name, exstack_state where, const Call& call) {
  expect_refusal(
      [&](world& w) {
        numbers ex{w, 2};
        if (where == exstack_state::cleared) ex.clear();
        EXPECT_FALSE(where == exstack_state::complete && ex.proceed(true));
        if (w.my_pe() == 0) call(ex);
        w.barrier();
      },
      "exstack: " + name + " is illegal while " + (where == exstack_state::cleared ? "cleared" : "complete") +
          see_states);
}

TEST(exstack_states, complete_takes_no_more_items) {
  expect_illegal("push", exstack_state::complete, [](numbers& ex) { static_cast<void>(ex.push(1, 0)); });
  expect_illegal("exchange", exstack_state::complete, [](numbers& ex) { ex.exchange(); });
  run_job(simulated(2), [](world& w) {
    numbers ex{w, 2};
    EXPECT_EQ(ex.state(), exstack_state::working);
    EXPECT_FALSE(ex.proceed(true));
    EXPECT_EQ(ex.state(), exstack_state::complete);
    if (w.my_pe() == 0) {
      EXPECT_FALSE(ex.proceed(false)) << "local from now on";
    }
    EXPECT_EQ(ex.headroom(0), 0U);
    EXPECT_EQ(ex.min_headroom(), 0U);
    EXPECT_EQ(ex.pull(), nullptr);
    EXPECT_FALSE(ex.unpop());
    EXPECT_FALSE(ex.unpop_to(1));
    ex.reset();
    EXPECT_EQ(ex.state(), exstack_state::working);
    EXPECT_TRUE(ex.proceed(w.my_pe() == 0)) << "the other one has more";
    EXPECT_FALSE(ex.proceed(w.my_pe() == 1)) << "the promise stays";
  });
}

TEST(exstack_states, cleared_is_for_reset_only) {
  constexpr exstack_state cleared = exstack_state::cleared;
  expect_illegal("proceed", cleared, [](numbers& ex) { ex.proceed(true); });
  expect_illegal("push", cleared, [](numbers& ex) { static_cast<void>(ex.push(1, 0)); });
  expect_illegal("exchange", cleared, [](numbers& ex) { ex.exchange(); });
  expect_illegal("pop", cleared, [](numbers& ex) { static_cast<void>(ex.pull()); });
  expect_illegal("pop from", cleared, [](numbers& ex) { static_cast<void>(ex.pull_from(0)); });
  expect_illegal("unpop", cleared, [](numbers& ex) { ex.unpop(); });
  expect_illegal("unpop to", cleared, [](numbers& ex) { ex.unpop_to(0); });
  expect_illegal("headroom of", cleared, [](numbers& ex) { static_cast<void>(ex.headroom(0)); });
}

// Reset and clear leave a loop early; the contents of the buffers are dropped.
TEST(exstack_states, reset_drops_what_is_left) {
  run_job(simulated(2), [](world& w) {
    numbers ex{w, 2};
    for (const bool is_clearing : {false, true}) {
      EXPECT_EQ(ex.push(1, 1 - w.my_pe()), 2U);
      ex.exchange();
      EXPECT_EQ(ex.push(2, 1 - w.my_pe()), 2U);
      if (is_clearing) ex.clear();
      ex.reset();
      EXPECT_EQ(ex.pull(), nullptr);
      EXPECT_EQ(ex.min_headroom(), 2U);
      ex.exchange();
      EXPECT_EQ(ex.pull(), nullptr);
    }
    EXPECT_FALSE(ex.proceed(true));
  });
}

TEST(exstack_states, PEs_out_of_range_are_refused) {
  const auto refuse = [](const auto& call, const std::string& text) {
    expect_refusal(
        [&](world& w) {
          numbers ex{w, 2};
          if (w.my_pe() == 0) call(ex);
          w.barrier();
        },
        "exstack: " + text + ", which is out of range; PEs are 0 to 1");
  };
  refuse([](numbers& ex) { static_cast<void>(ex.push(1, 2)); }, "push to PE 2");
  refuse([](numbers& ex) { static_cast<void>(ex.push(1, -1)); }, "push to PE -1");
  refuse([](numbers& ex) { static_cast<void>(ex.pull_from(2)); }, "pop from PE 2");
  refuse([](numbers& ex) { ex.unpop_to(-1); }, "unpop to PE -1");
  refuse([](numbers& ex) { static_cast<void>(ex.headroom(2)); }, "headroom of PE 2");
}

TEST(exstack_states, nothing_is_lost_unsaid) {
  expect_refusal(
      [](world& w) {
        numbers ex{w, 2};
        if (w.my_pe() == 1) static_cast<void>(ex.push(1, 0));
        ex.exchange();
        if (w.my_pe() == 1) w.charge_ns(1'000'000);
        ex.exchange();
      },
      "exstack: exchange with 1 items of the last one not popped, which would be lost; pop them first");
  expect_refusal(
      [](world& w) {
        numbers ex{w, 2};
        if (w.my_pe() == 0) static_cast<void>(ex.push(1, 0));
        ex.proceed(true);
        w.barrier();
      },
      "exstack: all PEs are done, and 1 items were pushed but not exchanged; exchange before you say done");
}

TEST(exstack_states, proceeds_of_different_exstacks_are_told) {
  const settings chosen = simulated(2);
  const outcome end = outcome_of(chosen, [](world& w) {
    numbers a{w, 2};
    numbers b{w, 2};
    (w.my_pe() == 0 ? a : b).proceed(true);
  });
  EXPECT_EQ(end.status, 2);
  EXPECT_NE(end.error.find("collective calls do not match: PE 1 is in proceed of exstack 1 while PE 0 is in "
                           "proceed of exstack 0; "),
            std::string::npos)
      << end.error;
}

// --- exstack2

void end_loop(numbers2& ex) {
  while (ex.proceed(true)) static_cast<void>(ex.pull());
  ex.reset();
}

TEST(exstack2_states, all_calls_may_be_the_first) {
  const auto first = [](const auto& call) {
    run_job(simulated(2), [&](world& w) {
      numbers2 ex{w, 2};
      EXPECT_EQ(ex.state(), conveyor_state::dormant);
      ex.reset();
      EXPECT_EQ(ex.state(), conveyor_state::dormant);
      call(ex);
      EXPECT_EQ(ex.state(), conveyor_state::working);
      end_loop(ex);
      EXPECT_EQ(ex.state(), conveyor_state::dormant);
    });
  };
  first([](numbers2& ex) { EXPECT_EQ(ex.push(1, 1), 2U); });
  first([](numbers2& ex) { EXPECT_TRUE(ex.proceed(false)); });
  first([](numbers2& ex) { EXPECT_EQ(ex.pull(), nullptr); });
  first([](numbers2& ex) { EXPECT_FALSE(ex.unpop()); });
  first([](numbers2& ex) { ex.send(0); });
}

TEST(exstack2_states, calls_out_of_place_are_refused) {
  const auto refuse = [](const auto& call, const std::string& text) {
    expect_refusal(
        [&](world& w) {
          numbers2 ex{w, 2};
          if (w.my_pe() == 0) call(ex);
          w.barrier();
        },
        "exstack2: " + text);
  };
  const std::string out_of_range = ", which is out of range; PEs are 0 to 1";
  refuse([](numbers2& ex) { static_cast<void>(ex.push(1, 2)); }, "push to PE 2" + out_of_range);
  refuse([](numbers2& ex) { static_cast<void>(ex.push(1, -1)); }, "push to PE -1" + out_of_range);
  refuse([](numbers2& ex) { ex.send(2); }, "send to PE 2" + out_of_range);
  const auto push_when_done = [](numbers2& ex) {
    ex.proceed(true);
    static_cast<void>(ex.push(1, 0));
  };
  refuse(push_when_done, "push is illegal while endgame" + see_states);
  const auto send_when_done = [](numbers2& ex) {
    ex.proceed(true);
    ex.proceed(false);  // the promise holds
    ex.send(0);
  };
  refuse(send_when_done, "send is illegal while endgame" + see_states);
  const auto reset_in_between = [](numbers2& ex) {
    ex.proceed(false);
    ex.reset();
  };
  refuse(reset_in_between, "reset is illegal while working" + see_states);
}

TEST(exstack2_states, the_end_comes_when_all_is_popped) {
  run_job(simulated(2), [](world& w) {
    numbers2 ex{w, 2};
    EXPECT_EQ(ex.push(7, 1 - w.my_pe()), 2U);
    while (ex.state() != conveyor_state::cleanup) EXPECT_TRUE(ex.proceed(true));
    EXPECT_TRUE(ex.proceed(true));
    std::int64_t value = 0;
    pe_id from = -1;
    EXPECT_TRUE(ex.pop(value, from));
    EXPECT_EQ(value, 7);
    EXPECT_EQ(from, 1 - w.my_pe());
    EXPECT_TRUE(ex.unpop());
    EXPECT_TRUE(ex.proceed(true)) << "there is an item to pop again";
    EXPECT_TRUE(ex.pop(value));
    EXPECT_FALSE(ex.proceed(true));
    EXPECT_FALSE(ex.proceed(false));
    EXPECT_FALSE(ex.pop(value));
    EXPECT_FALSE(ex.unpop());
    EXPECT_EQ(ex.counts().n_pushed, 1U);
    ex.reset();
  });
}

TEST(exstack2_states, no_capacity_is_told) {
  const settings chosen = simulated(1);
  const outcome end = outcome_of(chosen, [](world& w) { const numbers2 ex(w, 0); });
  EXPECT_EQ(end.status, 2);
  EXPECT_NE(end.error.find("exstack2: buffers of 0 items carry nothing"), std::string::npos) << end.error;
}

}  // namespace
}  // namespace shoal::test
