// Goal: what a program computes takes time on its PE, if that is asked for; what it declares does, if not.
// labels: sim
#include <time.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

using test::world_of;

constexpr std::int64_t work_ns = 3'000'000;

std::int64_t used_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void work() {
  for (const std::int64_t begin = used_ns(); used_ns() - begin < work_ns;) {
  }
}

// Virtual time that `program` takes on PE 1 of three.
template <class Program>
std::uint64_t time_of(const sim_settings& knobs, Program program) {
  std::uint64_t took_ns = 0;
  simulation whole(world_of(3, 1, knobs));
  EXPECT_EQ(whole.run([&](substrate& machine) {
    test::barrier(machine);
    const std::uint64_t begin_ns = machine.now_ns();
    if (machine.my_pe() == 1) {
      program(machine);
      took_ns = machine.now_ns() - begin_ns;
    }
    test::barrier(machine);
    return 0;
  }),
            0);
  return took_ns;
}

sim_settings measured(double factor) {
  sim_settings knobs;
  knobs.compute = factor;
  return knobs;
}

TEST(sim_compute, takes_no_time_unless_it_is_measured) {
  EXPECT_LT(time_of({}, [](substrate&) { work(); }), 1000u);
}

TEST(sim_compute, takes_the_time_of_this_machine_times_a_factor) {
  for (const double factor : {1.0, 10.0}) {
    const std::uint64_t took_ns = time_of(measured(factor), [](substrate&) { work(); });
    EXPECT_GE(static_cast<double>(took_ns), 0.9 * factor * work_ns);
    // However busy this machine is, since what other programs take does not count.
    EXPECT_LT(static_cast<double>(took_ns), 2 * factor * work_ns);
  }
}

TEST(sim_compute, shows_on_the_stopwatch_at_once) {
  std::uint64_t seen_ns = 0;
  time_of(measured(1), [&](substrate& machine) {
    const std::uint64_t begin_ns = machine.stopwatch_ns();
    work();
    seen_ns = machine.stopwatch_ns() - begin_ns;
  });
  EXPECT_GE(static_cast<double>(seen_ns), 0.9 * work_ns);
}

// It is part of what is measured.
TEST(sim_compute, counts_nothing_that_is_declared) {
  const auto declares = [](substrate& machine) {
    machine.charge_ns(1'000'000'000);
    machine.charge_items(item_work::relay, 100'000'000);
  };
  EXPECT_GE(time_of({}, declares), 1'800'000'000u);
  EXPECT_LT(time_of(measured(1), declares), 500'000'000u);
}

// The simulator takes turns inside calls: what other PEs compute meanwhile is not this one's time.
TEST(sim_compute, is_of_the_pe_that_computes) {
  std::vector<std::uint64_t> took_ns(4);
  simulation whole(world_of(4, 1, measured(1)));
  EXPECT_EQ(whole.run([&](substrate& machine) {
    const std::uint64_t begin_ns = machine.now_ns();
    for (int i = 0; i < 10; ++i) {
      if (machine.my_pe() == 0) work();
      machine.now_ns();
    }
    took_ns[static_cast<std::size_t>(machine.my_pe())] = machine.now_ns() - begin_ns;
    test::barrier(machine);
    return 0;
  }),
            0);
  EXPECT_GE(static_cast<double>(took_ns[0]), 0.9 * 10 * work_ns);
  for (std::size_t pe = 1; pe < 4; ++pe) EXPECT_LT(took_ns[pe], 2 * static_cast<std::uint64_t>(work_ns)) << pe;
}

TEST(sim_items, cost_what_the_settings_say) {
  sim_settings knobs;
  knobs.item = {.push_ns = 2.5, .relay_ns = 8, .handling_ns = 4};
  const auto time_for = [&](item_work what) {
    return time_of(knobs, [&](substrate& machine) { machine.charge_items(what, 1000); });
  };
  EXPECT_NEAR(static_cast<double>(time_for(item_work::push)), 2500, 50);
  EXPECT_NEAR(static_cast<double>(time_for(item_work::relay)), 8000, 50);
  EXPECT_NEAR(static_cast<double>(time_for(item_work::handling)), 4000, 50);
}

}  // namespace
}  // namespace shoal::internal::sim
