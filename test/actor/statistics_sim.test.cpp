// Goal: the statistics tell where time goes. Method: in the simulator, where time passes only as declared, so that the
// times of known programs are known. Measuring itself takes no simulated time.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

using internal::activity;
using internal::activity_times;

settings measured(settings chosen) {
  chosen.stats.value = statistics_form::json;
  chosen.stats_file.value = "/dev/null";
  return chosen;
}

activity_times times_of(world& w) { return w.message_exchange().parts().watch.read(); }

std::uint64_t ns(const activity_times& times, activity what) { return times[static_cast<std::size_t>(what)]; }

std::uint64_t whole(const activity_times& times) {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : times) sum += each;
  return sum;
}

constexpr std::uint64_t call_ns = 20;  // of a call of the substrate

TEST(statistics_in_sim, tell_the_time_in_handlers) {
  run_job(measured(simulated(3)), [](world& w) {
    actor slow{w, [&](int) { w.charge_ns(1000); }};
    actor fast{w, [&](int) { w.charge_ns(10); }};
    w.finish([&] {
      if (w.my_pe() != 0) return;
      for (int i = 0; i < 10; ++i) slow.send(1, i);
      for (int i = 0; i < 5; ++i) slow.send(2, i);
      for (int i = 0; i < 7; ++i) fast.send(2, i);
    });
    const auto n_slow = std::vector<std::uint64_t>{0, 10, 5}[static_cast<std::size_t>(w.my_pe())];
    const std::uint64_t n_fast = w.my_pe() == 2 ? 7 : 0;
    // Giving a buffer back belongs to its handlers.
    const std::uint64_t slow_ns = n_slow * 1000 + slow.counts().n_received * call_ns;
    const std::uint64_t fast_ns = n_fast * 10 + fast.counts().n_received * call_ns;
    EXPECT_EQ(slow.counts().n_received, n_slow == 0 ? 0U : 1U);
    EXPECT_EQ(slow.counts().handling_ns, slow_ns);
    EXPECT_EQ(fast.counts().handling_ns, fast_ns);
    EXPECT_EQ(ns(times_of(w), activity::handlers), slow_ns + fast_ns);
    EXPECT_EQ(ns(times_of(w), activity::relays), 0U);
  });
}

TEST(statistics_in_sim, tell_the_time_in_the_main_program) {
  run_job(measured(simulated(3)), [](world& w) {
    const activity_times before = times_of(w);
    w.charge_ns(3000);
    EXPECT_EQ(ns(times_of(w), activity::main_outside) - ns(before, activity::main_outside), 3000U);
    w.finish([&] {
      const activity_times at_first = times_of(w);
      w.charge_ns(7000);
      w.finish([&] { w.charge_ns(500); });
      const activity_times at_last = times_of(w);
      const std::uint64_t in_body_ns =
          ns(at_last, activity::main_in_supersteps) - ns(at_first, activity::main_in_supersteps);
      EXPECT_GE(in_body_ns, 7500U);
      EXPECT_LE(in_body_ns, 7500 + 10 * call_ns);
      EXPECT_EQ(ns(at_last, activity::main_outside), ns(at_first, activity::main_outside));
    });
    const activity_times after = times_of(w);
    w.charge_ns(200);
    EXPECT_EQ(ns(times_of(w), activity::main_outside) - ns(after, activity::main_outside), 200U);
  });
}

// The others wait for PE 0 in a barrier, in a collective call and in finish.
TEST(statistics_in_sim, tell_how_long_a_pe_waits) {
  run_job(measured(simulated(3)), [](world& w) {
    const auto is_late = [&] {
      if (w.my_pe() == 0) w.charge_ns(1'000'000);
    };
    const std::vector<job_body> calls = {
        [](world& here) { here.barrier(); },
        [](world& here) { here.sum(1); },
        [&](world& here) { here.finish(is_late); },
    };
    for (std::size_t i = 0; i < calls.size(); ++i) {
      SCOPED_TRACE(i);
      w.barrier();
      const activity_times before = times_of(w);
      if (i < 2) is_late();
      calls[i](w);
      const std::uint64_t waited_ns = ns(times_of(w), activity::waiting) - ns(before, activity::waiting);
      if (w.my_pe() == 0) {
        EXPECT_LT(waited_ns, 100'000U);
      } else {
        EXPECT_GE(waited_ns, 990'000U);
        EXPECT_LT(waited_ns, 1'100'000U);
      }
    }
  });
}

// PE 0 sends more than PE 1 has room for: it waits, and what it handles meanwhile is not waiting.
TEST(statistics_in_sim, tell_that_a_send_waits) {
  settings chosen = measured(simulated(2));
  chosen.slot_bytes.value = 64;
  chosen.n_slots.value = 4;
  chosen.n_shared_slots.value = 0;
  run_job(chosen, [](world& w) {
    actor back{w, [&](int) { w.charge_ns(700); }};
    actor slow{w, [&](int i) {
                 w.charge_ns(10'000);
                 back.send(0, i);
               }};
    activity_times in_body{};
    w.finish([&] {
      for (int i = 0; i < 200 && w.my_pe() == 0; ++i) slow.send(1, i);
      in_body = times_of(w);
    });
    const activity_times all = times_of(w);
    if (w.my_pe() == 1) {
      EXPECT_GE(ns(all, activity::handlers), 200 * 10'000U);
      return;
    }
    EXPECT_GT(slow.counts().n_waits, 0U);
    EXPECT_GE(ns(in_body, activity::waiting), 1'000'000U);
    EXPECT_LT(ns(in_body, activity::main_in_supersteps), 200'000U);
    EXPECT_EQ(ns(all, activity::handlers), 200 * 700 + back.counts().n_received * call_ns);
  });
}

TEST(statistics_in_sim, tell_the_time_in_relays) {
  settings chosen = measured(simulated(8));
  chosen.node_size.value = 4;
  chosen.n_hops.value = 2;
  run_job(chosen, [](world& w) {
    actor count{w, [&](int) { w.charge_ns(100); }};
    w.finish([&] {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
        for (int i = 0; i < 30; ++i) count.send(pe, i);
      }
    });
    EXPECT_GE(count.counts().handling_ns, 240 * 100U);
    EXPECT_EQ(count.counts().handling_ns, ns(times_of(w), activity::handlers));
    EXPECT_GT(ns(times_of(w), activity::relays), 0U);
  });
}

// Items that a conveyor's program pulls are the main program's work, and so is advance.
TEST(statistics_in_sim, count_conveyors_as_main_program) {
  run_job(measured(simulated(3)), [](world& w) {
    conveyor<int> c{w};
    c.begin();
    const activity_times before = times_of(w);
    int i = 0;
    while (c.advance(i == 1000) != progress::complete) {
      while (i < 1000 && c.push(i, i % 3)) ++i;
      while (c.pull()) w.charge_ns(100);
    }
    c.reset();
    const activity_times after = times_of(w);
    EXPECT_EQ(after[0] - before[0], whole(after) - whole(before));
    EXPECT_GE(after[0] - before[0], 90'000U);
  });
}

// Nothing is counted twice or left out, whatever nests in what.
TEST(statistics_in_sim, add_up_to_the_whole_time) {
  for_seeds(50, [](std::uint64_t seed) {
    settings chosen = measured(hostile(seed, {.n_mailboxes = 12, .slot_bytes = 256}));
    chosen.n_hops.value = static_cast<std::int64_t>(seed % 3) + 1;
    chosen.node_size.value = 2;
    run_job(chosen, [&](world& w) {
      const std::uint64_t begin_ns = w.backend().stopwatch_ns();
      const std::uint64_t before_ns = whole(times_of(w));
      actor back{w, [&](int) { w.charge_ns(30); }};
      actor there{w, [&](int n, pe_id from) {
                    w.charge_ns(100);
                    for (int i = 0; i < n; ++i) back.send(from, i);
                  }};
      for (int step = 0; step < 3; ++step) {
        w.finish([&] {
          for (int i = 0; i < 100; ++i) there.send((w.my_pe() + i) % w.n_pes(), 3);
          w.barrier();
          w.finish([&] { w.send(0, [] {}); });
        });
      }
      EXPECT_LE(back.counts().handling_ns + there.counts().handling_ns, ns(times_of(w), activity::handlers));
      EXPECT_EQ(whole(times_of(w)) - before_ns, w.backend().stopwatch_ns() - begin_ns);
    });
  });
}

// A run that is measured is the run that was not, event for event.
// A program that splits in a loop keeps as many records as one that stops after 64 teams, and one for each name.
TEST(statistics_in_sim, of_later_teams_share_rows) {
  constexpr int n_splits = 100;
  run_job(measured(simulated(3)), [](world& w) {
    for (int i = 0; i < n_splits; ++i) {
      world team = w.split(w.my_pe() % 2);
      actor count{team, [](int) {}, "count"};
      conveyor<int> items(team);
      team.finish([&] { count.send(0, i); });
    }
    std::size_t n_of_teams = 0;
    std::uint64_t n_sent_later = 0;
    for (const stream_record& r : w.message_exchange().parts().take_records()) {
      n_of_teams += r.name.find(" of team ") != std::string::npos;
      if (r.name == "actor count, message int of later teams") n_sent_later += r.counts.n_sent;
    }
    EXPECT_EQ(n_of_teams, 3 * internal::n_teams_with_rows / 2);  // of each second team: two mailboxes and a conveyor
    EXPECT_EQ(n_sent_later, n_splits - internal::n_teams_with_rows / 2);
  });
}

TEST(statistics_in_sim, change_nothing) {
  for_seeds(20, [](std::uint64_t seed) {
    std::vector<std::uint64_t> ends;
    for (const bool is_measured : {false, true}) {
      settings chosen = hostile(seed, {.n_mailboxes = 4});
      if (is_measured) chosen = measured(chosen);
      std::vector<std::uint64_t> ended(static_cast<std::size_t>(chosen.n_pes.value));
      run_job(chosen, [&](world& w) {
        actor pass_on{w, [&](int n) { w.charge_ns(static_cast<std::uint64_t>(n)); }};
        w.finish([&] {
          for (int i = 0; i < 300; ++i) pass_on.send(i % w.n_pes(), i);
        });
        EXPECT_EQ(pass_on.counts().handling_ns != 0, is_measured);
        ended[static_cast<std::size_t>(w.my_pe())] = w.now_ns();
      });
      if (is_measured) {
        EXPECT_EQ(ended, ends);
      }
      ends = ended;
    }
  });
}

}  // namespace
}  // namespace shoal::test
