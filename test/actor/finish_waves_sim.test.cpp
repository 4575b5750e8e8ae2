// Goal: a superstep takes no more waves than it must, and PEs wait for messages before they join one only where that pays. Method:
// the rounds of single supersteps in the simulator, on networks where a wave takes longer than a message; and the class that
// decides, superstep by superstep.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/internal/quiet_time.hpp"
#include "shoal/actor/selector.hpp"
#include "shoal/substrate/internal/link_costs.hpp"
#include "shoal/substrate/internal/substrate.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

// How many waves each finish took.
class counted_waves {
public:
  explicit counted_waves(world& w) : w_(w) {}

  template <class Body>
  std::uint64_t of_finish(Body body) {
    const std::uint64_t before = w_.backend().counts().n_rounds;
    w_.finish(body);
    return w_.backend().counts().n_rounds - before;
  }

private:
  world& w_;
};

TEST(finish_waves, one_ends_a_superstep_without_messages) {
  run_job(simulated(5), [](world& w) {
    actor ignore{w, [](int) {}};
    counted_waves waves(w);
    EXPECT_EQ(waves.of_finish([] {}), 1u);
  });
}

TEST(finish_waves, one_ends_a_superstep_whose_messages_are_handled_when_pes_join) {
  run_job(simulated(5), [](world& w) {
    int n_here = 0;
    actor count{w, [&](int) { ++n_here; }};
    counted_waves waves(w);
    EXPECT_EQ(waves.of_finish([&] {
      for (int i = 0; i < 10; ++i) count.send(w.my_pe(), i);
    }),
              1u);
    EXPECT_EQ(n_here, 10);
  });
}

// 16 nodes of one PE: a message takes 11 us, and a wave four times as long.
settings of_a_slow_network() {
  settings chosen = simulated(16);
  chosen.node_size.value = 1;
  chosen.sim.value.link = {.latency_ns = 10'000, .overhead_ns = 500, .gap_ns = 100, .gap_per_byte_ns = 0.01};
  chosen.sim.value.node_link = {.latency_ns = 200, .overhead_ns = 30, .gap_ns = 10, .gap_per_byte_ns = 0.01};
  return chosen;
}

TEST(finish_waves, pes_learn_to_wait_for_messages_that_come_at_once) {
  run_job(of_a_slow_network(), [](world& w) {
    int n_here = 0;
    actor count{w, [&](int) { ++n_here; }};
    counted_waves waves(w);
    std::vector<std::uint64_t> all;
    for (int step = 0; step < 12; ++step) {
      all.push_back(waves.of_finish([&] {
        for (pe_id pe = 0; pe < w.n_pes(); ++pe) count.send(pe, step);
      }));
    }
    EXPECT_EQ(all.front(), 2u);
    for (std::size_t step = 1; step < all.size(); ++step) EXPECT_EQ(all[step], 1u) << "superstep " << step;
    EXPECT_EQ(n_here, 12 * w.n_pes());
  });
}

struct travelling : selector<travelling, int> {
  explicit travelling(world& home) : selector(home), here(home) {}
  void process(int n_left) {
    if (n_left > 0) send((here.my_pe() + 1) % here.n_pes(), n_left - 1);
  }
  world& here;
};

// A token that goes around for longer than any wait: the first wave is always in vain. Trials get rare.
TEST(finish_waves, pes_do_not_wait_where_it_is_for_nothing) {
  std::uint64_t one_step_ns = 0;
  for (const int n_steps : {1, 100}) {
    run_job(of_a_slow_network(), [&](world& w) {
      travelling token(w);
      const std::uint64_t begin_ns = w.now_ns();
      for (int step = 0; step < n_steps; ++step) {
        w.finish([&] {
          if (w.my_pe() == 0) token.send(1, 20);
        });
      }
      if (w.my_pe() != 0) return;
      if (n_steps == 1) one_step_ns = w.now_ns() - begin_ns;
      // A wait is a twentieth of such a superstep.
      EXPECT_LT(w.now_ns() - begin_ns, 1.01 * static_cast<double>(one_step_ns) * n_steps);
    });
  }
}

// --- The decision

constexpr std::uint64_t way = 1000;

// What a job of one PE does that joins `waited_ns` after it had nothing left to do, where waves take `wave_ns`. Returns whether it
// waited.
bool superstep(internal::quiet_time& quiet, int n_waves, std::uint64_t waited_ns, std::uint64_t wave_ns = 4 * way,
               bool is_helped = true) {
  const internal::link_costs links{.network = {.latency_ns = way, .overhead_ns = 0}};
  std::uint64_t now = 50'000;
  quiet.begin(links, 1, 0, now);
  const bool waits = quiet.is_on();
  if (waits) {
    EXPECT_FALSE(quiet.is_over(now));
    if (is_helped) quiet.note_arrival(now);
    now += waited_ns;
  }
  internal::quiet_votes votes;
  for (int wave = 1; wave <= n_waves; ++wave) {
    votes = votes + quiet.join_wave(wave == 1, now);
    EXPECT_FALSE(quiet.is_on());
    now += wave_ns;
    quiet.end_wave(wave == 1, now);
  }
  quiet.learn(n_waves, votes, 1, 0);
  return waits;
}

TEST(quiet_time, is_not_wanted_while_first_waves_suffice) {
  internal::quiet_time quiet(16);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(superstep(quiet, 1, way));
}

TEST(quiet_time, is_wanted_after_a_wave_in_vain_as_long_as_it_helps) {
  internal::quiet_time quiet(16);
  EXPECT_FALSE(superstep(quiet, 2, way));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(superstep(quiet, 1, way));
  EXPECT_TRUE(superstep(quiet, 2, way));
  EXPECT_FALSE(superstep(quiet, 2, way));
}

TEST(quiet_time, is_tried_less_and_less_often_where_it_does_not_help) {
  internal::quiet_time quiet(16);
  std::vector<int> tries;
  for (int i = 0; i < 200; ++i) {
    if (superstep(quiet, 2, way)) tries.push_back(i);
  }
  EXPECT_EQ(tries, (std::vector{1, 4, 10, 28, 94, 160}));
}

TEST(quiet_time, is_given_up_where_it_takes_longer_than_a_wave) {
  internal::quiet_time quiet(16);
  EXPECT_FALSE(superstep(quiet, 2, 3 * way, 2 * way));
  EXPECT_TRUE(superstep(quiet, 1, 3 * way, 2 * way));
  EXPECT_FALSE(superstep(quiet, 2, 3 * way, 2 * way));
}

TEST(quiet_time, is_never_wanted_on_two_nodes) {
  internal::quiet_time quiet(2);
  EXPECT_FALSE(quiet.may_pay());
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(superstep(quiet, 2, way));
}

TEST(quiet_time, is_worth_as_many_waves_as_were_in_vain) {
  internal::quiet_time quiet(16);
  EXPECT_FALSE(superstep(quiet, 3, 3 * way, 2 * way));
  EXPECT_TRUE(superstep(quiet, 1, 3 * way, 2 * way));
  EXPECT_TRUE(superstep(quiet, 1, 3 * way, 2 * way));
}

TEST(quiet_time, is_given_up_where_nothing_comes) {
  internal::quiet_time quiet(16);
  constexpr std::uint64_t wave_ns = 4 * way;
  EXPECT_FALSE(superstep(quiet, 2, way));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(superstep(quiet, 1, way, wave_ns, false));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(superstep(quiet, 1, way));
  EXPECT_FALSE(superstep(quiet, 2, way)) << "one wave in vain";
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(superstep(quiet, 1, way, wave_ns, i % 3 == 0)) << "superstep " << i;
}

// A message takes 1,000 ns, and a byte of those that wait for the node's interface 2 ns.
class quiet_that_is_on : public testing::Test {
protected:
  quiet_that_is_on() {
    superstep(quiet_, 2, way);  // ends at 58,000 ns
    const internal::link_costs links{.network = {.latency_ns = way, .overhead_ns = 0, .gap_per_byte_ns = 0.5},
                                     .n_sharing = 4};
    quiet_.begin(links, 1, 1000, begin_ns);
  }

  static constexpr std::uint64_t begin_ns = 59'000;
  internal::quiet_time quiet_{16};
};

TEST_F(quiet_that_is_on, lasts_until_what_was_sent_has_left_and_as_long_as_a_message_after_that) {
  EXPECT_FALSE(quiet_.is_over(60'000 + way + way / 4 - 1));
  EXPECT_TRUE(quiet_.is_over(60'000 + way + way / 4));
  quiet_.note_sent(1500, 60'500);
  EXPECT_FALSE(quiet_.is_over(61'000 + way + way / 4 - 1));
  EXPECT_TRUE(quiet_.is_over(61'000 + way + way / 4));
}

TEST_F(quiet_that_is_on, lasts_at_most_as_long_as_a_wave_in_vain) {
  quiet_.note_sent(1'000'000, 60'000);
  EXPECT_FALSE(quiet_.is_over(60'000));
  EXPECT_FALSE(quiet_.is_over(60'000 + 4 * way - 1));
  EXPECT_TRUE(quiet_.is_over(60'000 + 4 * way));
}

TEST_F(quiet_that_is_on, lasts_for_a_moment_after_the_last_that_came) {
  quiet_.note_arrival(60'000);
  EXPECT_TRUE(quiet_.is_over(60'000 + way + way / 4));
  quiet_.note_arrival(62'000);
  EXPECT_FALSE(quiet_.is_over(62'000 + way / 16));
  EXPECT_TRUE(quiet_.is_over(62'000 + way / 8));
}

}  // namespace
}  // namespace shoal::test
