// Goal: one-sided access in the simulator: gets see what was there, puts are complete after quiet and not
// before, atomics are atomic, and all of them take the network's time.
// labels: sim
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

using test::barrier;
using test::world_of;

std::int64_t get_word(substrate& machine, std::size_t offset, pe_id pe) {
  std::int64_t word = -1;
  machine.heap().get(&word, offset, sizeof word, pe);
  return word;
}

TEST(sim_heap, starts_as_zeros_and_is_reachable_by_loads) {
  simulation whole(world_of(3, 1));
  whole.run([](substrate& machine) {
    for (pe_id pe = 0; pe < machine.n_pes(); ++pe) {
      EXPECT_EQ(machine.heap().peer(pe) == machine.heap().mine(), pe == machine.my_pe());
      EXPECT_EQ(get_word(machine, machine.heap().bytes() - 8, pe), 0);
    }
    barrier(machine);
    *reinterpret_cast<std::int64_t*>(machine.heap().mine()) = machine.my_pe() + 5;
    barrier(machine);
    const pe_id other = (machine.my_pe() + 1) % machine.n_pes();
    EXPECT_EQ(*reinterpret_cast<const std::int64_t*>(machine.heap().peer(other)), other + 5);
    EXPECT_EQ(get_word(machine, 0, other), other + 5);
    return 0;
  });
}

TEST(sim_heap, puts_are_complete_after_quiet) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    simulation whole(world_of(5, seed, seed % 2 == 0 ? test::hostile() : sim_settings{}));
    whole.run([](substrate& machine) {
      const auto n_pes = machine.n_pes();
      for (pe_id pe = 0; pe < n_pes; ++pe) {
        for (std::int64_t value : {1, 2, 3}) {  // to one place: puts of one PE stay in order
          const std::int64_t word = 100 * machine.my_pe() + value;
          machine.heap().put(static_cast<std::size_t>(machine.my_pe()) * 8, &word, sizeof word, pe);
        }
      }
      machine.heap().quiet();
      for (pe_id pe = 0; pe < n_pes; ++pe) {
        EXPECT_EQ(get_word(machine, static_cast<std::size_t>(machine.my_pe()) * 8, pe), 100 * machine.my_pe() + 3);
      }
      barrier(machine);
      const auto* const mine = reinterpret_cast<const std::int64_t*>(machine.heap().mine());
      for (pe_id pe = 0; pe < n_pes; ++pe) EXPECT_EQ(mine[pe], 100 * pe + 3);
      return 0;
    });
  }
}

// A put returns when the source may be reused; its data are elsewhere only later. Programs that forget
// `quiet` must fail here, since on other substrates they do so rarely.
TEST(sim_heap, a_put_is_not_there_at_once) {
  simulation whole(world_of(2, 1));
  whole.run([](substrate& machine) {
    if (machine.my_pe() == 0) {
      std::int64_t word = 7;
      machine.heap().put(0, &word, sizeof word, 1);
      word = 8;
      const auto* const there = reinterpret_cast<const std::int64_t*>(machine.heap().peer(1));
      EXPECT_EQ(*there, 0);
      machine.heap().quiet();
      EXPECT_EQ(*there, 7);
    }
    return 0;
  });
}

TEST(sim_heap, a_put_ends_the_wait_of_its_target) {
  simulation whole(world_of(2, 1));
  whole.run([](substrate& machine) {
    if (machine.my_pe() == 0) {
      machine.charge_ns(1'000'000);
      const std::int64_t word = 1;
      machine.heap().put(0, &word, sizeof word, 1);
      return 0;
    }
    unsigned patience = 0;
    while (*reinterpret_cast<const std::int64_t*>(machine.heap().mine()) == 0) machine.wait(patience);
    EXPECT_LE(patience, 2u);
    EXPECT_GE(machine.now_ns(), 1'000'000u);
    return 0;
  });
}

TEST(sim_heap, atomics_count_every_time) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    constexpr std::uint64_t n_adds = 50;
    simulation whole(world_of(6, seed, seed % 2 == 0 ? test::hostile() : sim_settings{}));
    whole.run([](substrate& machine) {
      random_engine random(1, static_cast<std::uint64_t>(machine.my_pe()));
      for (std::uint64_t i = 0; i < n_adds; ++i) {
        machine.heap().atomic({.operand = 1}, 8, 3);
        machine.charge_ns(random.below(3000));
      }
      barrier(machine);
      EXPECT_EQ(get_word(machine, 8, 3), static_cast<std::int64_t>(6 * n_adds));
      return 0;
    });
  }
}

// A lock of compare_exchange: at most one holder at a time, everybody gets it.
TEST(sim_heap, compare_exchange_makes_a_lock) {
  int n_holders = 0;
  int n_turns = 0;
  simulation whole(world_of(5, 1, test::hostile()));
  whole.run([&](substrate& machine) {
    for (int turn = 0; turn < 10; ++turn) {
      while (machine.heap().atomic({.op = atomic_op::compare_exchange, .operand = 1}, 0, 0) != 0)
        machine.charge_ns(100);
      EXPECT_EQ(++n_holders, 1);
      machine.charge_ns(5000);
      static_cast<void>(machine.poll());  // lets others run
      --n_holders;
      ++n_turns;
      EXPECT_EQ(machine.heap().atomic({.op = atomic_op::exchange}, 0, 0), 1u);
    }
    return 0;
  });
  EXPECT_EQ(n_turns, 50);
}

TEST(sim_heap, a_get_takes_a_round_trip) {
  sim_settings model;
  model.link.latency_ns = 5000;
  model.link.overhead_ns = 100;
  model.link.gap_per_byte_ns = 1;
  simulation whole(world_of(2, 1, model));
  whole.run([](substrate& machine) {
    char bytes[1000];
    const std::uint64_t before_ns = machine.now_ns();
    machine.heap().get(bytes, 0, sizeof bytes, 1 - machine.my_pe());
    const std::uint64_t expected_ns = 2 * (5000 + 2 * 100) + 1000;
    EXPECT_GE(machine.now_ns() - before_ns, expected_ns);
    EXPECT_LE(machine.now_ns() - before_ns, expected_ns + 100);
    return 0;
  });
}

// Both ways of a get that was started, and a way of an addition, pass while its PE does something else.
TEST(sim_heap, what_is_started_is_done_after_quiet_and_not_before) {
  simulation whole(world_of(2, 1));
  whole.run([](substrate& machine) {
    auto* const mine = reinterpret_cast<std::int64_t*>(machine.heap().mine());
    mine[0] = machine.my_pe() + 5;
    barrier(machine);
    if (machine.my_pe() == 0) {
      std::int64_t word = -1;
      machine.heap().start_get(&word, 0, sizeof word, 1);
      machine.heap().start_atomic({.operand = 3}, 8, 1);
      machine.heap().start_atomic({.operand = 4}, 8, 1);
      const auto* const there = reinterpret_cast<const std::int64_t*>(machine.heap().peer(1));
      EXPECT_EQ(word, -1);
      EXPECT_EQ(there[1], 0);
      machine.heap().quiet();
      EXPECT_EQ(word, 6);
      EXPECT_EQ(there[1], 7);
      machine.heap().start_get(&word, 0, sizeof word, 0);
      machine.heap().start_atomic({.operand = 1}, 0, 0);
      machine.heap().quiet();
      EXPECT_EQ(word, 5) << "a get of one's own";
      EXPECT_EQ(mine[0], 6);
    }
    return 0;
  });
}

// As late as the network may: so a program that changes the source before quiet is found out.
TEST(sim_heap, a_put_that_is_started_reads_its_source_late) {
  simulation whole(world_of(2, 1));
  whole.run([](substrate& machine) {
    if (machine.my_pe() == 0) {
      std::int64_t word = 7;
      machine.heap().start_put(0, &word, sizeof word, 1);
      const auto* const there = reinterpret_cast<const std::int64_t*>(machine.heap().peer(1));
      EXPECT_EQ(*there, 0);
      word = 8;
      machine.heap().quiet();
      EXPECT_EQ(*there, 8);
      machine.heap().start_put(0, &word, sizeof word, 0);
      machine.heap().quiet();
      EXPECT_EQ(*reinterpret_cast<const std::int64_t*>(machine.heap().mine()), 8) << "a put of one's own";
    }
    return 0;
  });
}

// How often, of all seeds, PE 1 sees the later of two puts first.
int n_overtaken(bool is_fenced, bool is_later_started) {
  int n = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    simulation whole(world_of(2, seed, test::hostile()));
    whole.run([&](substrate& machine) {
      const std::int64_t one = 1;
      if (machine.my_pe() == 0) {
        machine.heap().start_put(0, &one, sizeof one, 1);
        if (is_fenced) machine.heap().fence();
        if (is_later_started) {
          machine.heap().start_put(8, &one, sizeof one, 1);
        } else {
          machine.heap().put(8, &one, sizeof one, 1);
        }
        machine.heap().quiet();
        return 0;
      }
      const auto* const mine = reinterpret_cast<const std::int64_t*>(machine.heap().mine());
      for (unsigned patience = 0; mine[1] == 0;) machine.wait(patience);
      if (mine[0] == 0) ++n;
      return 0;
    });
  }
  return n;
}

TEST(sim_heap, a_fence_orders_puts_that_nothing_else_orders) {
  for (const bool is_later_started : {false, true}) {
    EXPECT_GT(n_overtaken(false, is_later_started), 0);
    EXPECT_EQ(n_overtaken(true, is_later_started), 0);
  }
}

TEST(sim_heap, additions_that_are_started_count_every_time) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    constexpr std::int64_t n_rounds = 50;
    simulation whole(world_of(6, seed, seed % 2 == 0 ? test::hostile() : sim_settings{}));
    whole.run([](substrate& machine) {
      const auto my_word = static_cast<std::size_t>(machine.my_pe() + 1) * 8;
      for (std::int64_t i = 1; i <= n_rounds; ++i) {
        std::vector<std::int64_t> words(static_cast<std::size_t>(machine.n_pes()));
        for (pe_id pe = 0; pe < machine.n_pes(); ++pe) {
          machine.heap().start_atomic({.operand = 1}, 0, pe);
          machine.heap().start_atomic({.operand = 2}, my_word, pe);
        }
        machine.heap().quiet();
        for (pe_id pe = 0; pe < machine.n_pes(); ++pe) {
          machine.heap().start_get(&words[static_cast<std::size_t>(pe)], my_word, sizeof(std::int64_t), pe);
        }
        machine.heap().quiet();
        EXPECT_EQ(words, std::vector<std::int64_t>(words.size(), 2 * i));
      }
      barrier(machine);
      EXPECT_EQ(get_word(machine, 0, machine.my_pe()), 6 * n_rounds);
      return 0;
    });
  }
}

// A hundred gets at the cost of a hundred overheads and one round trip.
TEST(sim_heap, gets_that_are_started_overlap) {
  sim_settings model;
  model.link.latency_ns = 5000;
  model.link.overhead_ns = 100;
  model.link.gap_ns = 0;
  simulation whole(world_of(2, 1, model));
  whole.run([](substrate& machine) {
    std::int64_t words[100];
    const std::uint64_t before_ns = machine.now_ns();
    for (std::int64_t& word : words) machine.heap().start_get(&word, 0, sizeof word, 1 - machine.my_pe());
    machine.heap().quiet();
    const std::uint64_t expected_ns = 100 * 100 + 2 * 5000;
    EXPECT_GE(machine.now_ns() - before_ns, expected_ns);
    EXPECT_LE(machine.now_ns() - before_ns, expected_ns + 200);
    return 0;
  });
}

TEST(sim_heap_death_test, access_beyond_the_heap_is_an_error) {
  EXPECT_EXIT(simulation(world_of(2, 1)).run([](substrate& machine) {
    return static_cast<int>(get_word(machine, machine.heap().bytes() - 4, 0));
  }),
              testing::ExitedWithCode(status_failure), "lies_in_the_symmetric_heap");
}

// A put that follows a fence is written later than those before it, however their ways are lengthened or shortened.
TEST(sim_heap, a_fence_orders_puts_whatever_their_ways_take) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    sim_settings model;
    model.link = {.latency_ns = 180'000, .overhead_ns = 100, .gap_ns = 100, .gap_per_byte_ns = 8};
    model.jitter_ns = seed % 2 == 0 ? 100'000 : 0;
    model.hold = seed % 2 == 0 ? 0 : 0.5;
    simulation whole(world_of(2, seed, model));
    whole.run([](substrate& machine) {
      constexpr std::size_t flag_at = 8192;
      if (machine.my_pe() == 0) {
        const std::vector<std::uint64_t> data(flag_at / 8, 7);
        const std::uint64_t flag = 1;
        machine.heap().put(0, data.data(), flag_at, 1);
        machine.heap().fence();
        machine.heap().put(flag_at, &flag, sizeof flag, 1);
        machine.heap().quiet();
      } else {
        const auto* const words = reinterpret_cast<const std::uint64_t*>(machine.heap().peer(machine.my_pe()));
        unsigned patience = 0;
        while (words[flag_at / 8] != 1) machine.pause(patience);
        EXPECT_EQ(words[flag_at / 8 - 1], 7u);
      }
      return 0;
    });
  }
}

}  // namespace
}  // namespace shoal::internal::sim
