// Goal: the hop count of actors' messages follows the traffic, and may change between any two supersteps. Method: in
// the simulator, small and large supersteps with known hop counts; and every claim on actors, each seed with routes
// that change after most supersteps, on nodes of other sizes, with other buffers and other hostile conditions.
// labels: sim
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/selector.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "test/contract/claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

settings of_nodes(std::int64_t n_pes, std::int64_t node_size, std::size_t slot_bytes = 256) {
  settings chosen = simulated(n_pes);
  chosen.node_size.value = node_size;
  chosen.slot_bytes.value = slot_bytes;
  chosen.n_slots.value = 512;
  return chosen;
}

// A superstep in which each PE sends `n` messages to each PE; exactly these must arrive, in order.
void send_to_all(world& w, int n) {
  std::vector<int> next(static_cast<std::size_t>(w.n_pes()));
  actor count{w, [&](int i, pe_id from) { EXPECT_EQ(i, next[static_cast<std::size_t>(from)]++); }};
  w.finish([&] {
    for (int i = 0; i < n; ++i) {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) count.send(pe, i);
    }
  });
  for (const int n_here : next) EXPECT_EQ(n_here, n);
}

TEST(hops_in_sim, follow_the_traffic_from_superstep_to_superstep) {
  run_job(of_nodes(64, 8), [](world& w) {
    EXPECT_EQ(w.n_hops(), 1);
    send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 2);
    for (int i = 0; i < 5; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 2);
    for (int i = 0; i < 5; ++i) send_to_all(w, 150);
    EXPECT_EQ(w.n_hops(), 1);
    for (int i = 0; i < 20; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 2);
  });
}

TEST(hops_in_sim, stay_where_a_pe_sends_to_few) {
  run_job(of_nodes(64, 8), [](world& w) {
    int n_here = 0;
    actor ring{w, [&](int) { ++n_here; }};
    for (int i = 0; i < 10; ++i) {
      w.finish([&] { ring.send((w.my_pe() + 1) % w.n_pes(), i); });
      EXPECT_EQ(w.n_hops(), 1);
    }
    EXPECT_EQ(n_here, 10);
  });
}

// A few tokens that wander: over two hops each step takes twice as long, with no fewer buffers.
TEST(hops_in_sim, stay_where_messages_wait_for_one_another_but_for_trials) {
  run_job(of_nodes(32, 4), [](world& w) {
    struct wanderer : selector<wanderer, int> {
      explicit wanderer(world& home) : selector(home), here(home) {}
      void process(int n_left) {
        if (n_left > 0) send((7 * n_left + 5 * here.my_pe()) % here.n_pes(), n_left - 1);
      }
      world& here;
    } token{w};
    int n_with_one_hop = 0;
    for (int step = 0; step < 60; ++step) {
      n_with_one_hop += w.n_hops() == 1;
      w.finish([&] { token.send(w.my_pe(), 200); });
    }
    EXPECT_GE(n_with_one_hop, 54);
  });
}

// Between nodes, buffers begin to take twenty times as long: few of them are worth more than short ways. All PEs agree.
TEST(hops_in_sim, follow_links_that_change) {
  settings chosen = of_nodes(64, 8);
  chosen.sim.value.link = {.latency_ns = 500, .overhead_ns = 30, .gap_ns = 10, .gap_per_byte_ns = 0.01};
  chosen.sim.value.node_link = {.latency_ns = 200, .overhead_ns = 30, .gap_ns = 10, .gap_per_byte_ns = 0.01};
  const auto hops_after = [&](int n_steps, std::uint64_t& end_ns) {
    int n_hops = 0;
    run_job(chosen, [&](world& w) {
      for (int i = 0; i < n_steps; ++i) send_to_all(w, 20);
      if (w.my_pe() == 0) {
        n_hops = w.n_hops();
        end_ns = w.now_ns();
      }
      EXPECT_EQ(w.sum(static_cast<std::int64_t>(w.n_hops())), w.n_pes() * w.n_hops());
    });
    return n_hops;
  };
  std::uint64_t end_ns = 0;
  EXPECT_EQ(hops_after(10, chosen.sim.value.shift_ns), 1);
  EXPECT_EQ(hops_after(30, end_ns), 1) << "without a change";
  chosen.sim.value.shift_factor = 20;
  EXPECT_EQ(hops_after(30, end_ns), 2);
}

TEST(hops_in_sim, stay_as_they_are_asked_for) {
  settings chosen = of_nodes(64, 8);
  chosen.n_hops.value = 1;
  run_job(chosen, [](world& w) {
    for (int i = 0; i < 4; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 1);
  });
}

// Each hop of a mailbox takes a slot permanently; later mailboxes must still find slots.
TEST(hops_in_sim, stay_while_slots_are_few) {
  settings chosen = of_nodes(64, 8);
  chosen.n_slots.value = 12;
  run_job(chosen, [](world& w) {
    for (int i = 0; i < 4; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 1);
  });
}

struct ignoring {
  void operator()(int) const {}
};

// As many mailboxes as may follow the traffic switch in both directions, although they take more slots meanwhile.
TEST(hops_in_sim, come_back_with_many_mailboxes) {
  settings chosen = of_nodes(64, 8);
  chosen.n_slots.value = 128;
  run_job(chosen, [](world& w) {
    std::deque<actor<ignoring>> others;
    for (int i = 0; i < 12; ++i) others.emplace_back(w, ignoring{});
    for (int i = 0; i < 4; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 2);
    for (int i = 0; i < 5; ++i) send_to_all(w, 150);
    EXPECT_EQ(w.n_hops(), 1);
  });
}

// If a job has slots for some mailboxes with one hop, it can construct them, whatever it sent before.
TEST(hops_in_sim, leave_slots_to_mailboxes_to_come) {
  settings chosen = of_nodes(64, 8);
  chosen.n_slots.value = 64;
  run_job(chosen, [](world& w) {
    std::deque<actor<ignoring>> others;
    for (int i = 0; i < 6; ++i) others.emplace_back(w, ignoring{});
    for (int i = 0; i < 4; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 2);
    for (int i = 0; i < 36; ++i) others.emplace_back(w, ignoring{});
    EXPECT_EQ(w.n_hops(), 1);
    for (int i = 0; i < 4; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 1);
    while (others.size() > 6) others.pop_back();
    for (int i = 0; i < 4; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 2);
  });
}

// The mailbox that takes one slot too many changes its route while it is constructed, when it cannot tell its message
// type yet.
TEST(hops_in_sim, change_under_construction_with_statistics) {
  settings chosen = of_nodes(64, 8);
  chosen.n_slots.value = 64;
  chosen.stats.value = statistics_form::table;
  run_job(chosen, [](world& w) {
    for (int i = 0; i < 4; ++i) send_to_all(w, 1);
    EXPECT_EQ(w.n_hops(), 2);
    std::deque<actor<ignoring>> others;
    w.finish([&] {
      for (int i = 0; i < 42; ++i) others.emplace_back(w, ignoring{});
      EXPECT_EQ(w.n_hops(), 1);
    });
  });
}

// Over more hops a tag accompanies each message; these messages leave no room for it.
TEST(hops_in_sim, stay_for_messages_that_fill_a_buffer) {
  run_job(of_nodes(64, 8), [](world& w) {
    using whole = std::array<std::uint64_t, 256 / 8>;
    std::uint64_t n_here = 0;
    actor fill{w, [&](const whole& m) { n_here += m[0]; }};
    for (int i = 0; i < 4; ++i) {
      send_to_all(w, 1);
      w.finish([&] {
        fill.send((w.my_pe() + 9) % w.n_pes(), {1});
        using almost_whole = std::array<std::uint64_t, 256 / 8 - 1>;
        w.send((w.my_pe() + 10) % w.n_pes(), [m = almost_whole{}] { EXPECT_EQ(m[0], 0); });
      });
    }
    EXPECT_EQ(w.n_hops(), 2);
    EXPECT_EQ(n_here, 4);
  });
}

// One mailbox through all changes keeps its counts and its limits of latency and of unsent messages.
TEST(hops_in_sim, change_under_a_mailbox_that_stays) {
  run_job(of_nodes(32, 4), [](world& w) {
    std::uint64_t n_here = 0;
    actor count{w, [&](int) { ++n_here; }};
    count.limit_unsent(5);
    count.limit_latency(1000);
    std::uint64_t n_sent = 0;
    bool was_refused = false;
    int n_changes = 0;
    for (int step = 0; step < 40; ++step) {
      const int before = w.n_hops();
      w.finish([&] {
        const int n = step % 16 < 8 ? 1 : 10;
        for (int i = 0; i < n; ++i) {
          for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
            while (!count.try_send(pe, i)) {
              was_refused = true;
              w.progress();
            }
            ++n_sent;
          }
        }
      });
      n_changes += w.n_hops() != before;
      EXPECT_EQ(count.counts().n_sent, n_sent);
      EXPECT_EQ(count.counts().n_handled, n_here);
      EXPECT_LE(count.counts().buffer_bytes_most,
                3 * w.message_exchange().parts().slots.bytes_most());  // outbox and inbox
      EXPECT_EQ(w.sum(n_here), w.sum(n_sent));
    }
    EXPECT_TRUE(was_refused);
    EXPECT_GE(n_changes, 2);
  });
}

// Several changes, one row for each hop of each route.
TEST(hops_in_sim, are_told_in_the_statistics) {
  settings chosen = of_nodes(64, 8);
  chosen.stats.value = statistics_form::table;
  const outcome ended = outcome_of(chosen, [](world& w) {
    actor ring{w, [](int) {}};
    for (int step = 0; step < 30; ++step) {
      w.finish([&] {
        const int n = step % 20 < 10 ? 1 : 150;
        for (int i = 0; i < n; ++i) {
          for (pe_id pe = 0; pe < w.n_pes(); ++pe) ring.send(pe, i);
        }
      });
    }
  });
  EXPECT_EQ(ended.status, 0);
  const auto n_times = [&](const std::string& text) {
    int n = 0;
    for (auto at = ended.error.find(text); at != std::string::npos; at = ended.error.find(text, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(n_times("message int\n"), 1) << ended.error;
  EXPECT_EQ(n_times("message int, hop 1\n"), 1) << ended.error;
  EXPECT_EQ(n_times("message int, hop 2\n"), 1) << ended.error;
  EXPECT_EQ(n_times("hops of actors' messages changed 3 times, to 2 in the end"), 1) << ended.error;
}

// A row belongs to a mailbox, not to what ran last, which is another closure on each PE.
TEST(hops_in_sim, of_closures_of_several_types_are_told_in_the_statistics) {
  settings chosen = of_nodes(9, 3);
  chosen.stats.value = statistics_form::table;
  chosen.sim.value.reroute = 0.8;
  chosen.slot_bytes.value = 8192;  // the largest closure of this test has room with a tag
  const outcome ended = outcome_of(chosen, [](world& w) {
    for (int step = 0; step < 30; ++step) {
      w.finish([&] {
        for (pe_id pe = 0; pe < w.n_pes(); ++pe) pe % 2 == 0 ? w.send(pe, [] {}) : w.send(pe, [step] { (void)step; });
      });
    }
  });
  EXPECT_EQ(ended.status, 0) << ended.error;
  for (const char* row : {"message closure\n", "message closure, hop 1\n", "message closure, hop 2\n"}) {
    const auto first = ended.error.find(row);
    EXPECT_NE(first, std::string::npos) << row << ended.error;
    EXPECT_EQ(first, ended.error.rfind(row)) << row << ended.error;
  }
}

// What some PEs keep alive has no row there.
TEST(statistics, are_left_out_where_pes_have_other_rows) {
  settings chosen = simulated(3);
  chosen.stats.value = statistics_form::table;
  std::vector<std::unique_ptr<conveyor<int>>> kept(3);
  const outcome ended = outcome_of(chosen, [&](world& w) {
    const auto mine = static_cast<std::size_t>(w.my_pe());
    kept[mine] = std::make_unique<conveyor<int>>(w);
    w.barrier();
    if (mine != 1) kept[mine].reset();
  });
  EXPECT_EQ(ended.status, 0) << ended.error;
  EXPECT_TRUE(ended.error.starts_with(
      "shoal: no statistics, since the PEs have destroyed different actors or conveyors\nshoal: sim: 3 PEs"))
      << ended.error;
}

class actors_whose_hops_change : public testing::TestWithParam<claim> {};

TEST_P(actors_whose_hops_change, hold) {
  const claim& c = GetParam();
  for_seeds(10, [&](std::uint64_t seed) {
    // A tag next to the largest item, and an outbox and an inbox for each hop.
    settings chosen = hostile(seed, {.n_mailboxes = 3 * c.n_streams, .slot_bytes = c.slot_bytes + 64});
    random_engine random(seed, 78);
    chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(5));
    chosen.sim.value.reroute = 0.8;
    run_job(chosen, [&](world& w) {
      c.check(w, seed);
      // Claims with one superstep leave the change to later ones.
      w.finish([&] { w.send((w.my_pe() + 1) % w.n_pes(), [] {}); });
      c.check(w, seed);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(claims, actors_whose_hops_change, testing::ValuesIn(actor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
