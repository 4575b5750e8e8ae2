// Goal: messages are merged where this is worth most: on a PE that passes on what several others send, and before they
// leave; and only if they go to the same PE. Method: the simulator, whose nodes and routes the test chooses.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "shoal/actor/combining_actor.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

struct share {
  std::uint32_t key;
  std::int32_t target;
  std::int64_t n;
};

settings of_nodes(std::int64_t n_pes, std::int64_t node_size, int n_hops) {
  settings chosen = simulated(n_pes);
  chosen.node_size.value = node_size;
  chosen.n_hops.value = n_hops;
  chosen.slot_bytes.value = 1024;
  return chosen;
}

struct outcome_of_pe {
  std::int64_t n = 0;  // added up
  stream_counts counts;
};

// Each PE sends one message with `key_of(target)` to each target.
template <class KeyOf>
outcome_of_pe send_to_each(world& w, KeyOf key_of, combining where) {
  outcome_of_pe here;
  combining_actor add{w,
                      [&](const share& s) {
                        EXPECT_EQ(s.target, w.my_pe());
                        here.n += s.n;
                      },
                      [](const share& s) { return s.key; },
                      [](share& into, const share& s) {
                        EXPECT_EQ(into.target, s.target);
                        into.n += s.n;
                      },
                      where};
  w.finish([&] {
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
      add.send(pe, {key_of(pe), static_cast<std::int32_t>(pe), 1});
    }
  });
  here.counts = add.counts();
  return here;
}

// One key for all: each PE sends one message to each, so only relays can merge. Without combining, a target of another
// node handles a message from each PE; with it, about one from each PE of its own position elsewhere.
TEST(combining_in_sim, relays_merge_what_several_pes_send) {
  for (const int n_hops : {2, 3}) {
    for (const combining where : {combining::everywhere, combining::where_it_pays}) {
      run_job(of_nodes(36, 6, n_hops), [&](world& w) {
        const outcome_of_pe here = send_to_each(w, [](pe_id) { return 7U; }, where);
        EXPECT_EQ(here.n, w.n_pes());
        EXPECT_EQ(here.counts.n_sent, static_cast<std::uint64_t>(w.n_pes()));
        const std::int64_t n_handled = w.sum(static_cast<std::int64_t>(here.counts.n_handled));
        const std::int64_t n_combined = w.sum(static_cast<std::int64_t>(here.counts.n_combined));
        EXPECT_EQ(n_handled + n_combined, w.n_pes() * w.n_pes()) << n_hops << " hops";
        EXPECT_LE(n_handled, w.n_pes() * w.n_pes() / 2) << n_hops << " hops";
      });
    }
  }
}

TEST(combining_in_sim, messages_to_different_pes_or_with_different_keys_are_not_merged) {
  for (const int n_hops : {1, 2, 3}) {
    run_job(of_nodes(12, 3, n_hops), [&](world& w) {
      const auto own_key = [&](pe_id pe) { return static_cast<std::uint32_t>(w.my_pe() * 100 + pe); };
      const outcome_of_pe here = send_to_each(w, own_key, combining::everywhere);
      EXPECT_EQ(here.n, w.n_pes());
      EXPECT_EQ(w.sum(static_cast<std::int64_t>(here.counts.n_combined)), 0);
    });
  }
}

// All messages of one key and one target, but for the first of each buffer.
TEST(combining_in_sim, one_message_takes_in_all_that_follow_before_it_leaves) {
  for (const int n_hops : {1, 2, 3}) {
    run_job(of_nodes(9, 3, n_hops), [&](world& w) {
      std::int64_t sum = 0;
      combining_actor add{w, [&](const share& s) { sum += s.n; }, [](const share& s) { return s.key; },
                          [](share& into, const share& s) { into.n += s.n; }, combining::everywhere};
      constexpr std::int64_t n_each = 10'000;
      w.finish([&] {
        for (std::int64_t i = 0; i < n_each; ++i) add.send((w.my_pe() + 4) % w.n_pes(), {1, 0, 1});
      });
      EXPECT_EQ(sum, n_each);
      EXPECT_EQ(add.counts().n_sent, 1U);
      EXPECT_LE(add.counts().n_handled, 1U);
    });
  }
}

// Only PEs that pass messages on merge any of these.
TEST(combining_in_sim, an_exception_on_the_way_ends_the_job) {
  const outcome ended = outcome_of(of_nodes(36, 6, 2), [](world& w) {
    combining_actor add{w,
                        [](const share&) {},
                        [](const share& s) { return s.key; },
                        [](share&, const share&) { throw std::runtime_error("no such sum"); },
                        "add",
                        combining::everywhere};
    w.finish([&] {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) add.send(pe, {1, static_cast<std::int32_t>(pe), 1});
    });
  });
  EXPECT_EQ(ended.status, 1);
  const std::string report =
      ": actor add, message shoal::test::(anonymous namespace)::share, relay of hop 1: combining threw: "
      "no such sum";
  EXPECT_NE(ended.error.find(report), std::string::npos) << ended.error;
}

// It would wait longer for the end of a period, when a PE serves others in any case.
TEST(combining_in_sim, a_send_that_is_merged_looks_at_the_clock) {
  for (const int n_hops : {1, 2, 3}) {
    run_job(of_nodes(9, 3, n_hops), [](world& w) {
      std::int64_t sum = 0;
      combining_actor add{w, [&](const share& s) { sum += s.n; }, [](const share& s) { return s.key; },
                          [](share& into, const share& s) { into.n += s.n; }, combining::everywhere};
      add.limit_latency(50);
      const pe_id target = (w.my_pe() + 4) % w.n_pes();
      w.finish([&] {
        add.send(target, {1, 0, 1});
        add.send(target, {1, 0, 1});
        EXPECT_EQ(add.counts().n_sent, 0U);
        w.charge_ns(60'000);
        add.send(target, {1, 0, 1});
        EXPECT_EQ(add.counts().n_sent, 1U);
      });
      EXPECT_EQ(sum, 3);
    });
  }
}

// Hints reach one mebibyte. An item of 24 bytes does not begin at every multiple of that.
TEST(combining_in_sim, items_far_back_in_a_buffer_are_right_though_not_merged) {
  struct wide {
    std::uint64_t key;
    std::uint64_t n;
    std::uint64_t key_again;
  };
  settings chosen = of_nodes(2, 1, 1);
  chosen.slot_bytes.value = std::size_t{1} << 22;
  chosen.n_slots.value = 8;
  run_job(chosen, [](world& w) {
    constexpr std::uint64_t n_keys = 60'000;  // 1.4 MB
    std::vector<std::uint64_t> counts(n_keys);
    combining_actor add{w,
                        [&](const wide& m) {
                          EXPECT_EQ(m.key, m.key_again);
                          counts.at(m.key) += m.n;
                        },
                        [](const wide& m) { return m.key; }, [](wide& into, const wide& m) { into.n += m.n; },
                        combining::everywhere};
    // Key 1 comes last. A hint that took its place modulo a mebibyte would be eight bytes beside the begin of an item, where
    // a 1 lies, too.
    w.finish([&] {
      for (std::uint64_t key = n_keys; key-- > 1;) add.send(1 - w.my_pe(), {key, 1, key});
      for (int i = 0; i < 3; ++i) add.send(1 - w.my_pe(), {1, 1, 1});
    });
    EXPECT_EQ(counts.at(1), 4U);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{}), n_keys + 2);
  });
}

// What it sends opens no buffer, so it would never take what has arrived.
TEST(combining_in_sim, a_pe_whose_messages_are_merged_lets_handlers_run) {
  settings chosen = of_nodes(2, 1, 1);
  chosen.n_slots.value = 8;
  run_job(chosen, [](world& w) {
    int n_arrived = 0;
    std::int64_t sum = 0;
    actor flood{w, [&](int) { ++n_arrived; }};
    combining_actor add{w, [&](const share& s) { sum += s.n; }, [](const share& s) { return s.key; },
                        [](share& into, const share& s) { into.n += s.n; }, combining::everywhere};
    std::int64_t n = 0;
    w.finish([&] {
      if (w.my_pe() == 1) {
        for (int i = 0; i < 2'000; ++i) flood.send(0, i);
        return;
      }
      add.send(1, {1, 1, 1}), ++n;  // makes room
      w.charge_ns(10'000'000);
      while (n_arrived == 0 && n < 1'000'000) add.send(1, {1, 1, 1}), ++n;
      EXPECT_GT(n_arrived, 0);
    });
    EXPECT_EQ(w.sum(sum), w.sum(n));
  });
}

// The pattern of early exit: what ends the loop arrives in progress, which the program calls when it may not send.
TEST(combining_in_sim, a_loop_of_merged_try_sends_comes_to_progress) {
  run_job(of_nodes(2, 1, 1), [](world& w) {
    bool is_found = false;
    std::int64_t sum = 0;
    actor found{w, [&](int) { is_found = true; }};
    combining_actor add{w, [&](const share& s) { sum += s.n; }, [](const share& s) { return s.key; },
                        [](share& into, const share& s) { into.n += s.n; }, combining::everywhere};
    std::int64_t n = 0;
    w.finish([&] {
      if (w.my_pe() == 1) return found.send(0, 0);
      std::int64_t n_calls = 0;
      while (!is_found && ++n_calls < 1'000'000) {
        if (add.try_send(1, {1, 1, 1})) {
          ++n;
        } else {
          w.progress();
        }
      }
      EXPECT_TRUE(is_found);
    });
    EXPECT_EQ(w.sum(sum), w.sum(n));
  });
}

// Where keys do not repeat, the look for them stops: far fewer than a sixteenth of the messages that repeat later are
// merged in the rest that follows; and after it, they are.
TEST(combining_in_sim, stops_where_keys_do_not_repeat_and_begins_again) {
  run_job(of_nodes(2, 1, 1), [](world& w) {
    std::int64_t sum = 0;
    combining_actor add{w, [&](const share& s) { sum += s.n; }, [](const share& s) { return s.key; },
                        [](share& into, const share& s) { into.n += s.n; }};
    const pe_id other = 1 - w.my_pe();
    std::int64_t n = 0;
    const auto n_combined = [&] { return static_cast<std::int64_t>(add.counts().n_combined); };
    w.finish([&] {
      for (std::uint32_t i = 0; i < 10'000; ++i, ++n) add.send(other, {i, 0, 1});
      EXPECT_EQ(n_combined(), 0);
      while (n_combined() == 0) add.send(other, {1, 0, 1}), ++n;
      const std::int64_t n_before = n_combined();
      for (std::uint32_t i = 0; i < 10'000; ++i, ++n) add.send(other, {1, 0, 1});
      EXPECT_GE(n_combined() - n_before, 9'000);
    });
    EXPECT_EQ(sum, n);
  });
}

}  // namespace
}  // namespace shoal::test
