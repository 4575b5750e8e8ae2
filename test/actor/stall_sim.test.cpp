// Goal: a proof of a stall is right in every order of events: none while anything can move, and one for each of many ways
// to hang, in which each PE says what it waits for. Method: the simulator, in which PEs look for a stall at every wait
// and call for one at once.
// labels: sim
// timeout: 600
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/shoal.hpp"
#include "test/support/hangs.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

using internal::add_share;
using internal::proves_stall;
using internal::stall_share;

// The lines of a report by PE, without "shoal: PE 3 waits: " or "shoal: PEs 0-2,4 (4) wait: ".
std::vector<std::string> waits_in(const std::string& report, pe_id n_pes) {
  std::vector<std::string> waits(static_cast<std::size_t>(n_pes));
  const std::regex line_of_pes("shoal: PEs? ([0-9,-]+)(?: \\([0-9]+\\))? waits?: (.*)");
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, line_of_pes)) continue;
    std::istringstream ranges(found[1]);
    for (std::string range; std::getline(ranges, range, ',');) {
      const std::size_t dash = range.find('-');
      const std::size_t last = std::stoul(dash == std::string::npos ? range : range.substr(dash + 1));
      for (std::size_t pe = std::stoul(range); pe <= last; ++pe) waits.at(pe) = found[2];
    }
  }
  return waits;
}

void expect_hangs_named(std::uint64_t patience_ns, const std::function<std::string(pe_id)>& conclusion) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    settings chosen = hostile(seed, {.n_pes_max = 6});
    chosen.n_slots.value = n_slots_of_hang;
    chosen.n_shared_slots.value = -1;
    chosen.slot_bytes.value = slot_bytes_of_hang;
    chosen.stall_patience_ns = patience_ns;
    const auto n_pes = static_cast<pe_id>(chosen.n_pes.value);
    const hang how = hang_of(seed, n_pes);
    const outcome end = outcome_of(chosen, [&](world& w) { run_hang(w, how); });
    ASSERT_EQ(end.status, internal::status_failure) << "seed " << seed << '\n' << end.error;
    EXPECT_NE(end.error.find(conclusion(n_pes)), std::string::npos) << "seed " << seed << '\n' << end.error;
    const std::vector<std::string> waits = waits_in(end.error, n_pes);
    const std::vector<std::string> expected = expected_waits(how, n_pes);
    for (std::size_t pe = 0; pe < waits.size(); ++pe) {
      EXPECT_TRUE(std::regex_match(waits[pe], std::regex(expected[pe])))
          << "seed " << seed << ", PE " << pe << ": " << waits[pe] << "\nis not like " << expected[pe];
    }
  }
}

TEST(stall_sim, names_what_each_pe_waits_for) {
  expect_hangs_named(1, [](pe_id n_pes) {
    return "shoal: PE 0: nothing can move any more: " +
           (n_pes == 1 ? "the only PE waits" : "all " + std::to_string(n_pes) + " PEs wait");
  });
}

// Without the watch the simulator knows by itself.
TEST(stall_sim, names_the_same_by_itself) {
  expect_hangs_named(0, [](pe_id) { return "shoal: nothing can move any more at "; });
}

// PEs have other numbers in teams.
TEST(stall_sim, names_the_teams_of_questions_and_ends) {
  const outcome its = outcome_of(simulated(3), [](world& w) {
    per_pe<std::vector<promise<int>>> never(w);
    world team = w.split(w.my_pe() % 2);
    actor late{team, [](long) {}, "late"};
    late.fed_by();
    team.finish([&] {
      if (team.n_pes() != 2 || team.my_pe() != 0) return;
      const auto promised = [all = never.handle()](world&) { return all->emplace_back().get_future(); };
      team.ask(1, promised).get();
    });
  });
  EXPECT_EQ(its.status, 1);
  const std::string of_team = " of team 1 \\(PEs 0, 2\\)";
  const std::vector<std::string> expected = {
      "get lacks the answer of PE 1" + of_team,
      "actor world, message closure" + of_team + ": its answer to PE 0 lacks a value that is made here",
      "actor late, message long" + of_team + ": cannot close before other PEs are done with it"};
  for (const std::string& each : expected) {
    EXPECT_TRUE(std::regex_search(its.error, std::regex(each))) << each << "\nis not in " << its.error;
  }
}

// Handlers that send on, mailboxes that close by themselves, reductions, and a conveyor whose program pulls late.
void keep_moving(world& w, std::uint64_t seed) {
  random_engine random(seed, 100 + static_cast<std::uint64_t>(w.my_pe()));
  const auto any_pe = [&] { return static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))); };
  const auto compute = [&] {
    if (random.chance(0.3)) w.charge_ns(random.below(30'000));
  };
  for (int turn = 0; turn < 3; ++turn) {
    std::int64_t n_sent = 0;
    std::int64_t n_handled = 0;
    std::int64_t n_after = 0;
    std::function<void(int)> send_on;
    actor tokens{w, [&](int n_left) {
                   ++n_handled;
                   if (n_left > 0) send_on(n_left - 1);
                 }};
    send_on = [&](int n_left) {
      ++n_sent;
      tokens.send(any_pe(), n_left);
    };
    actor after{w, [&](long n) { n_after += n; }};
    tokens.fed_by(tokens);
    after.fed_by(tokens);
    w.finish([&] {
      tokens.closed().then([&] { after.send(any_pe(), 1L); });
      for (std::uint64_t n = random.below(20); n > 0; --n) send_on(static_cast<int>(random.below(6)));
      compute();
      if (turn == 1) w.barrier();
    });
    EXPECT_EQ(w.sum(n_sent), w.sum(n_handled));
    EXPECT_EQ(w.sum(n_after), w.n_pes());

    conveyor<long> items(w);
    items.begin();
    long n_left = static_cast<long>(random.below(30));
    long n_pushed = 0;
    long n_pulled = 0;
    while (items.advance(n_left == 0) != progress::complete) {
      while (n_left > 0 && items.push(n_left, any_pe())) --n_left, ++n_pushed;
      compute();
      if (random.chance(0.5)) continue;
      while (items.pull()) ++n_pulled;
    }
    while (items.pull()) ++n_pulled;
    items.reset();
    EXPECT_EQ(w.sum(n_pushed), w.sum(n_pulled));

    exstack<long> bulk(w, 2);
    for (bool is_pushed = false; bulk.proceed(is_pushed);) {
      if (!is_pushed) is_pushed = bulk.push(1, any_pe());
      compute();
      bulk.exchange();
      while (bulk.pull() != nullptr) {
      }
    }
  }
}

TEST(stall_sim, is_never_found_while_anything_moves) {
  for_seeds(1000, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    settings chosen = hostile(seed, {.n_mailboxes = 5});
    if (seed % 4 == 0) {
      chosen.node_size.value = 2;
      chosen.n_hops.value = 2;
      chosen.n_slots.value += 5;
    }
    chosen.stall_patience_ns = 1;
    run_job(chosen, [seed](world& w) { keep_moving(w, seed); });
  });
}

// What handlers send to a disabled mailbox is spilled, and held back until long after spills have grown as far as they do;
// PE 0, which enables it, computes meanwhile.
void hold_spills_back(world& w, std::uint64_t seed) {
  const std::uint64_t computing_ns = seed % 3 * 3'000'000;
  std::int64_t n_handled = 0;
  std::int64_t n_sent = 0;
  std::function<void(int)> spread_on;
  actor sink{w, [&](std::int64_t) { ++n_handled; }, "sink"};
  actor spread{w, [&](int n_left) { spread_on(n_left); }, "spread"};
  spread_on = [&](int n_left) {
    for (pe_id i = 0; i < 3; ++i, ++n_sent) sink.send((n_left + i + w.my_pe()) % w.n_pes(), n_left);
    if (n_left > 0) spread.send((w.my_pe() + 1) % w.n_pes(), n_left - 1);
    if (n_left % 2 != 0) spread.send((w.my_pe() + 2) % w.n_pes(), n_left / 2);
  };
  actor gate{w, [&](long) { sink.enable(); }, "gate"};
  sink.disable();
  w.barrier();
  w.finish([&] {
    for (pe_id i = 0; i < 4; ++i) spread.send((w.my_pe() + i) % w.n_pes(), 7);
    if (w.my_pe() != 0) return;
    for (int i = 0; i < 4; ++i) {
      w.charge_ns(computing_ns);
      if (seed % 2 != 0) w.progress();
    }
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) gate.send(pe, 1L);
  });
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
}

TEST(stall_sim, is_never_found_while_spills_are_held_back) {
  for_seeds(200, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    settings chosen = hostile(seed, {.n_mailboxes = 4});
    chosen.stall_patience_ns = seed % 4 == 0 ? 0 : 1;
    run_job(chosen, [seed](world& w) { hold_spills_back(w, seed); });
  });
}

// A PE that has arrived at all rounds of the others and waits.
stall_share waiting_pe(pe_id pe) {
  return {.n_posted = 2,
          .n_received = 2,
          .n_released = 1,
          .n_returned = 1,
          .n_rounds_least = 7,
          .n_awaited_least = 7,
          .latest = pe,
          .n_latest = 1,
          .n_in_rounds = 1};
}

stall_share with_one_more(stall_share other) {
  stall_share all = waiting_pe(1);
  add_share(all, other);
  return all;
}

stall_share late_pe() {
  stall_share late = waiting_pe(0);
  late.n_rounds_least = 6;
  late.n_awaited_least = UINT64_MAX;
  late.n_in_rounds = 0;
  return late;
}

TEST(stall_share, proves_a_stall_only_if_nothing_is_on_its_way) {
  EXPECT_TRUE(proves_stall(with_one_more(late_pe())));
  const auto refutes = [](auto change) {
    stall_share other = late_pe();
    change(other);
    EXPECT_FALSE(proves_stall(with_one_more(other)));
  };
  refutes([](stall_share& s) { s.n_awake = 1; });
  refutes([](stall_share& s) { ++s.n_posted; });
  refutes([](stall_share& s) { ++s.n_released; });
  // All have arrived, so the round will be complete.
  refutes([](stall_share& s) { s.n_rounds_least = 7; });
  // The late PE still has to see that an earlier round is complete.
  refutes([](stall_share& s) { s.n_awaited_least = 6; });
}

TEST(stall_share, knows_who_is_late) {
  const stall_share all = with_one_more(late_pe());
  EXPECT_EQ(all.latest, 0);
  EXPECT_EQ(all.n_latest, 1);
  EXPECT_EQ(all.n_in_rounds, 1);
}

}  // namespace
}  // namespace shoal::test
