// Goal: a mailbox whose end cannot come as the program declares it, or waits for it, ends the job with a line that says why; an
// exception keeps its own report. Method: one mistake a test, on two or three simulated PEs.
// labels: sim
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <stdexcept>
#include <string>

#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

void expect_refused(const std::string& report, const job_body& body) {
  const outcome its = outcome_of(simulated(2), body);
  EXPECT_EQ(its.status, 2);
  EXPECT_NE(its.error.find(report), std::string::npos) << its.error;
}

TEST(closings_refused, a_send_along_an_undeclared_edge) {
  expect_refused(
      "actor fed, message int: send by handlers of actor other, message long, which are not declared to feed it",
      [](world& w) {
        actor fed{w, [](int) {}, "fed"};
        actor other{w, [&](long) { fed.send(0, 1); }, "other"};
        fed.fed_by();
        w.finish([&] { other.send(1, 1); });
      });
}

// The check goes on when a declared mailbox has ended, and a finish after it.
TEST(closings_refused, a_send_along_an_undeclared_edge_to_a_later_mailbox) {
  expect_refused("actor later, message int: send by handlers of actor other, message long, which", [](world& w) {
    w.finish([&] {
      actor{w, [](int) {}, "first"}.fed_by();
      w.finish([] {});
      actor later{w, [](int) {}, "later"};
      actor other{w, [&](long) { later.send(0, 1); }, "other"};
      later.fed_by();
      other.send(1, 1);
      for (int i = 0; i < 50; ++i) w.progress();
    });
  });
}

// By themselves, by what they leave, and by what another thread posts. Whatever the main program does meanwhile: it is open here.
TEST(closings_refused, a_closure_that_sends_to_a_declared_mailbox) {
  const char* const report =
      ", or by what they or world.post have left, and closures feed only mailboxes without fed_by";
  struct reached {
    std::function<void()> send;
    world* home;
    void (*how)(const reached&);
  };
  const auto expect_closure_refused = [&](void (*how)(const reached&)) {
    expect_refused(report, [&](world& w) {
      actor fed{w, [](int) {}, "fed"};
      fed.fed_by();
      per_pe<reached> there{w, reached{[&] { fed.send(0, 1); }, &w, how}};
      w.finish([&] {
        w.send(1, [there = there.handle()](world&) { there->how(*there); });
        for (int i = 0; i < 50; ++i) w.progress();
      });
    });
  };
  expect_closure_refused([](const reached& there) { there.send(); });
  expect_closure_refused([](const reached& there) { there.home->defer(there.send); });
  expect_closure_refused([](const reached& there) { there.home->defer([&] { there.home->defer(there.send); }); });
  expect_closure_refused([](const reached& there) { async([&] { there.send(); }); });
  expect_closure_refused([](const reached& there) { there.home->post(there.send); });
}

// What a closure lets wait for an end is no last act of the mailbox, open as the main program may be with it.
TEST(closings_refused, a_last_act_of_a_closure) {
  struct reached {
    std::function<void()> wait;
  };
  for (const int n_turns : {0, 50}) {
    expect_refused(", and closures feed only mailboxes without fed_by", [n_turns](world& w) {
      actor fed{w, [](int) {}, "fed"};
      actor feeder{w, [](long) {}, "feeder"};
      feeder.fed_by();
      fed.fed_by(feeder);
      per_pe<reached> there{w, reached{[&] { feeder.closed().then([&] { fed.send(0, 1); }); }}};
      w.finish([&] {
        w.send(1, [there = there.handle()](world&) { there->wait(); });
        for (int i = 0; i < n_turns; ++i) w.progress();
      });
    });
  }
}

// When the other world's finish is open differs from PE to PE, so that a later check would depend on time.
TEST(closings_refused, a_feeder_of_another_world) {
  expect_refused(
      "actor fed, message int: fed by actor other, message long of team 1 (PEs 0, 1), which belongs to another world; "
      "only mailboxes of one finish feed one another",
      [](world& w) {
        world team = w.split(0);
        actor fed{w, [](int) {}, "fed"};
        actor other{team, [](long) {}, "other"};
        fed.fed_by(other);
      });
}

// It would be found when the main program is done with `fed`, and the team's finish could be over by then.
TEST(closings_refused, a_send_by_a_handler_of_another_world) {
  expect_refused(
      "actor fed, message int: send by handlers of actor other, message long of team 1 (PEs 0, 1), which belongs to "
      "another "
      "world; only mailboxes of one finish feed a mailbox with fed_by",
      [](world& w) {
        world team = w.split(0);
        actor fed{w, [](int) {}, "fed"};
        actor other{team, [&](long) { fed.send(0, 1); }, "other"};
        fed.fed_by();
        w.finish([&] { team.finish([&] { other.send(1, 1); }); });
      });
  expect_refused(
      "actor fed, message int of team 1 (PEs 0, 1): send by handlers of actor other, message long, which belongs to "
      "another "
      "world",
      [](world& w) {
        world team = w.split(0);
        actor fed{team, [](int) {}, "fed"};
        actor other{w, [&](long) { fed.send(0, 1); }, "other"};
        fed.fed_by();
        w.finish([&] {
          other.send(1, 1);
          team.finish([&] { other.close(); });
        });
      });
  expect_refused(" of team 1 (PEs 0, 1), which belongs to another world", [](world& w) {
    world team = w.split(0);
    actor fed{w, [](int) {}, "fed"};
    fed.fed_by();
    struct reached {
      decltype(fed)* actor;
    };
    per_pe<reached> there{w, reached{&fed}};
    w.finish(
        [&] { team.finish([&] { team.send(1, [there = there.handle()](world&) { there->actor->send(0, 1); }); }); });
  });
}

// A promise of the main program binds what it has left, too.
TEST(closings_refused, a_send_by_work_after_done) {
  expect_refused(
      "actor fed, message int: send by work that the main program has left, when the main program was done with it",
      [](world& w) {
        actor fed{w, [](int) {}, "fed"};
        fed.fed_by();
        w.finish([&] {
          w.defer([&] { fed.send(0, 1); });
          fed.done();
        });
      });
  expect_refused("when the main program was done with it", [](world& w) {
    actor fed{w, [](int) {}, "fed"};
    actor other{w, [](long) {}, "other"};
    fed.fed_by();
    other.fed_by();
    w.finish([&] {
      async([&] {
        other.closed().get();
        fed.send(0, 1);
      });
    });
  });
}

TEST(closings_refused, more_than_there_are_waves) {
  const auto ignore = [](int) {};
  settings chosen = simulated(2);
  chosen.n_slots.value = 600;
  const outcome its = outcome_of(chosen, [=](world& w) {
    std::deque<actor<decltype(ignore), int>> all;
    for (int i = 0; i < 513; ++i) all.emplace_back(w, ignore, "one of many").fed_by();
    w.finish([] {});
  });
  EXPECT_EQ(its.status, 2);
  EXPECT_NE(
      its.error.find("actor one of many, message int: too many mailboxes of this PE close by themselves at once: its "
                     "teams, its background calls and they have 512 waves already; give fed_by to fewer, or close "
                     "some first"),
      std::string::npos)
      << its.error;
}

TEST(closings_refused, to_wait_for_an_end_that_comes_with_finish) {
  expect_refused(" waits for the end of actor any, message int, which cannot come meanwhile", [](world& w) {
    actor any{w, [](int) {}, "any"};
    w.finish([&] { any.closed().then([] {}); });
  });
}

TEST(closings_refused, a_get_of_an_end_that_does_not_come_by_itself) {
  expect_refused(" waits for the end of actor any, message int, which cannot come meanwhile", [](world& w) {
    actor any{w, [](int) {}, "any"};
    w.finish([&] {
      any.done();
      any.closed().get();
    });
  });
}

// What one PE throws is reported, although waves of the others are under way; and what a program catches ends the job at
// its next collective call.
TEST(closings_refused, leave_the_report_to_an_exception) {
  const auto throw_in_finish = [](world& w) {
    actor count{w, [](int) {}, "count"};
    count.fed_by();
    bool has_ended = false;
    w.finish([&] {
      count.send(0, 1);
      count.closed().then([&] { has_ended = true; });
      count.done();
      for (int i = 0; i < 100; ++i) w.progress();
      if (w.my_pe() == 1) throw std::runtime_error("no luck");
    });
  };
  const outcome thrown = outcome_of(simulated(3), throw_in_finish);
  EXPECT_EQ(thrown.status, 1);
  EXPECT_NE(thrown.error.find("no luck"), std::string::npos) << thrown.error;
  const outcome caught = outcome_of(simulated(3), [&](world& w) {
    try {
      throw_in_finish(w);
    } catch (const std::runtime_error&) {
      w.barrier();
    }
  });
  EXPECT_EQ(caught.status, 2);
  EXPECT_NE(caught.error.find("an exception left finish"), std::string::npos) << caught.error;
}

TEST(closings_refused, a_handler_that_keeps_open_what_it_waits_for) {
  expect_refused(") for the end of actor fed, message int keeps that open", [](world& w) {
    actor fed{w, [](int) {}, "fed"};
    actor feeder{w, [&](long) { fed.closed().then([] {}); }, "feeder"};
    feeder.fed_by();
    fed.fed_by(feeder);
    w.finish([&] { feeder.send(1, 1); });
  });
}

TEST(closings_refused, declarations_that_differ_or_come_too_late) {
  expect_refused("the PEs have declared different mailboxes", [](world& w) {
    actor a{w, [](int) {}, "a"};
    actor b{w, [](long) {}, "b"};
    a.fed_by();
    b.fed_by();
    if (w.my_pe() == 1) b.fed_by(a);
    w.finish([] {});
  });
  expect_refused("actor a, message int: fed_by too late", [](world& w) {
    actor a{w, [](int) {}, "a"};
    a.fed_by();
    w.finish([&] {
      a.done();
      a.fed_by();
    });
  });
}

// A task waits for what only the end of a mailbox begins, which waits for the task: by way of a promise, so nobody knows.
TEST(closings_refused, for_which_work_waits_are_a_stall_that_says_why) {
  const outcome its = outcome_of(simulated(2), [](world& w) {
    actor fed{w, [](int) {}, "fed"};
    fed.fed_by();
    promise<int> to_come;
    w.finish([&] {
      fed.closed().then([&] { to_come.set(1); });
      async([its = to_come.get_future()]() mutable { its.get(); });
    });
  });
  EXPECT_EQ(its.status, 1);
  EXPECT_NE(its.error.find("actor fed, message int: not done here, since work that the main program left is not over"),
            std::string::npos)
      << its.error;
}

TEST(closings_refused, that_cannot_come_are_a_stall_that_says_why) {
  const outcome its = outcome_of(simulated(2), [](world& w) {
    actor late{w, [](int) {}, "late"};
    late.fed_by();
    w.finish([&] {
      if (w.my_pe() == 0) late.done();
      late.closed().get();
    });
  });
  EXPECT_EQ(its.status, 1);
  EXPECT_NE(its.error.find("actor late, message int: not done here"), std::string::npos) << its.error;
  EXPECT_NE(its.error.find("actor late, message int: cannot close before other PEs are done"), std::string::npos)
      << its.error;
}

}  // namespace
}  // namespace shoal::test
