// Goal: rounds keep their promises in the simulator: all see the same fold, made in the order of PEs, after the time of
// a tree, while buffers flow.
// labels: sim
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

using test::world_of;

void add_doubles(std::byte* into, const std::byte* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += sizeof(double)) {
    double a = 0;
    double b = 0;
    std::memcpy(&a, into + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    a += b;
    std::memcpy(into + i, &a, sizeof a);
  }
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span<const T, 1>(&value, 1));
}

template <class T>
T value_at(const std::byte* place) {
  T value{};
  std::memcpy(&value, place, sizeof value);
  return value;
}

double contribution_of(pe_id pe, int round) { return 1.0 / (3.0 * static_cast<double>(pe + 1) + round); }

TEST(sim_rounds, everyone_sees_the_fold_in_pe_order_and_each_contribution) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto n_pes = static_cast<std::int64_t>(1 + seed % 11);
    constexpr int n_rounds = 20;
    std::vector<double> expected;  // exactly: the sum from PE 0 upwards
    for (int round = 0; round < n_rounds; ++round) {
      double sum = contribution_of(0, round);
      for (pe_id pe = 1; pe < n_pes; ++pe) sum += contribution_of(pe, round);
      expected.push_back(sum);
    }
    simulation whole(world_of(n_pes, seed, seed % 2 == 0 ? test::hostile() : sim_settings{}));
    whole.run([&](substrate& machine) {
      random_engine random(seed, static_cast<std::uint64_t>(machine.my_pe()));
      for (int round = 0; round < n_rounds; ++round) {
        machine.charge_ns(random.below(10'000));
        machine.arrive(bytes_of(contribution_of(machine.my_pe(), round)), add_doubles);
        for (unsigned patience = 0; !machine.is_round_complete();) machine.wait(patience);
        machine.charge_ns(random.below(10'000));  // others may arrive at the next round meanwhile
        EXPECT_EQ(value_at<double>(machine.round_result()), expected[static_cast<std::size_t>(round)]);
        for (pe_id pe = 0; pe < n_pes; ++pe) {
          EXPECT_EQ(value_at<double>(machine.round_contribution(pe)), contribution_of(pe, round));
        }
      }
      EXPECT_EQ(machine.counts().n_rounds, static_cast<std::uint64_t>(n_rounds));
      return 0;
    });
    ASSERT_FALSE(HasFailure());
  }
}

TEST(sim_rounds, the_largest_contribution_fits) {
  simulation whole(world_of(3, 1));
  whole.run([](substrate& machine) {
    std::vector<double> mine(round_bytes_max / sizeof(double), 1);
    machine.arrive(std::as_bytes(std::span(mine)), add_doubles);
    for (unsigned patience = 0; !machine.is_round_complete();) machine.wait(patience);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      EXPECT_EQ(value_at<double>(machine.round_result() + i * sizeof(double)), 3);
    }
    return 0;
  });
}

TEST(sim_rounds, a_round_ends_a_tree_after_the_last_arrival) {
  sim_settings model;
  model.link.latency_ns = 10'000;
  model.link.overhead_ns = 500;
  simulation whole(world_of(9, 1, model));
  whole.run([](substrate& machine) {
    if (machine.my_pe() == 4) machine.charge_ns(3'000'000);
    test::barrier(machine);
    const std::uint64_t expected_ns = 3'000'000 + 2 * 4 * (10'000 + 2 * 500);  // nine PEs: four levels
    EXPECT_GE(machine.now_ns(), expected_ns);
    EXPECT_LE(machine.now_ns(), expected_ns + 1000);
    return 0;
  });
}

TEST(sim_rounds, buffers_flow_while_a_round_is_open) {
  simulation whole(world_of(2, 1));
  whole.run([](substrate& machine) {
    unsigned patience = 0;
    if (machine.my_pe() == 0) {
      machine.arrive({}, nullptr);
      buffer* arrived = machine.poll();
      for (; arrived == nullptr; arrived = machine.poll()) machine.wait(patience);
      EXPECT_FALSE(machine.is_round_complete());
      machine.post(
          *[&] {
            machine.release(*arrived);
            buffer* open = machine.try_acquire();
            open->header.bytes = 0;
            return open;
          }(),
          1);
      while (!machine.is_round_complete()) machine.wait(patience);
      return 0;
    }
    buffer* open = machine.try_acquire();
    open->header.bytes = 0;
    machine.post(*open, 0);
    buffer* answer = machine.poll();
    for (; answer == nullptr; answer = machine.poll()) machine.wait(patience);
    machine.release(*answer);
    test::barrier(machine);
    return 0;
  });
}

TEST(sim_rounds, a_thousand_pes_agree) {
  simulation whole(world_of(1000, 1));
  whole.run([](substrate& machine) {
    for (int i = 0; i < 10; ++i) {
      machine.arrive(bytes_of(1.0), add_doubles);
      for (unsigned patience = 0; !machine.is_round_complete();) machine.wait(patience);
      EXPECT_EQ(value_at<double>(machine.round_result()), 1000);
    }
    return 0;
  });
}

TEST(sim_rounds_death_test, arriving_twice_is_an_error) {
  EXPECT_EXIT(simulation(world_of(2, 1)).run([](substrate& machine) {
    machine.arrive({}, nullptr);
    machine.arrive({}, nullptr);
    return 0;
  }),
              testing::ExitedWithCode(status_failure),
              "PE [01]: broken requirement: "
              "this_pe_has_seen_the_last_round_end");
}

TEST(sim_rounds_death_test, collectives_called_in_different_order_are_noticed) {
  EXPECT_EXIT(simulation(world_of(2, 1)).run([](substrate& machine) {
    const std::vector<std::byte> mine(machine.my_pe() == 0 ? 8 : 16);
    machine.arrive(mine, nullptr);
    for (unsigned patience = 0; !machine.is_round_complete();) machine.wait(patience);
    return 0;
  }),
              testing::ExitedWithCode(status_failure), "same collectives in the same order");
}

}  // namespace
}  // namespace shoal::internal::sim
