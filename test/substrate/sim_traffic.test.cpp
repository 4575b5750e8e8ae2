// Goal: the substrate's promises on buffers hold in the simulator under every hostile condition: exactly
// once, in order between two PEs, never early in virtual time. Method: toy programs over many seeds.
// labels: sim
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

using test::traffic;
using test::world_of;

struct condition {
  const char* name;
  std::function<void(settings&)> set;
};

const condition conditions[] = {
    {"plain", [](settings&) {}},
    {"one_slot", [](settings& s) { s.n_slots.value = 1; }},
    {"smallest_slots", [](settings& s) { s.slot_bytes.value = 64; }},
    {"refuse", [](settings& s) { s.sim.value.refuse = 0.5; }},
    {"hold", [](settings& s) { s.sim.value.hold = 0.5; }},
    {"slow_pes", [](settings& s) { s.sim.value.slow_share = 0.3; }},
    {"preempt", [](settings& s) { s.sim.value.preempt = 0.5; }},
    {"no_network",
     [](settings& s) {
       s.sim.value.link.latency_ns = 0;
       s.sim.value.link.overhead_ns = 0;
       s.sim.value.link.gap_ns = 0;
       s.sim.value.link.gap_per_byte_ns = 0;
     }},
    {"slow_network",
     [](settings& s) {
       s.sim.value.link.latency_ns = 1'000'000;
       s.sim.value.link.gap_per_byte_ns = 10;
     }},
    {"jitter", [](settings& s) { s.sim.value.jitter_ns = s.sim.value.link.latency_ns; }},
    {"nodes", [](settings& s) { test::make_nodes(s, 3); }},
    {"one_node", [](settings& s) { test::make_nodes(s, 9); }},
    {"one_core", [](settings& s) { s.sim.value.n_cores = 1; }},
    {"everything",
     [](settings& s) {
       s.sim.value = test::hostile();
       s.n_slots.value = 2;
     }},
    {"everything_on_nodes",
     [](settings& s) {
       s.sim.value = test::hostile();
       test::make_nodes(s, 2);
       s.sim.value.jitter_ns = s.sim.value.link.latency_ns / 2;
       s.sim.value.n_cores = 2;
       s.n_slots.value = 2;
     }},
};

class sim_traffic : public testing::TestWithParam<condition> {};

TEST_P(sim_traffic, every_buffer_arrives_once_and_in_order) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto n_pes = static_cast<std::int64_t>(1 + seed % 9);
    settings chosen = world_of(n_pes, seed);
    GetParam().set(chosen);
    chosen.sim.value.seed = seed;
    simulation whole(chosen);
    ASSERT_EQ(whole.run(traffic(chosen, 50)), 0);
    ASSERT_FALSE(HasFailure());
  }
}

INSTANTIATE_TEST_SUITE_P(conditions, sim_traffic, testing::ValuesIn(conditions),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

// A buffer of k bytes takes overhead, latency and gap per byte; no PE sees it earlier.
TEST(sim, a_ping_pong_takes_the_time_of_the_model) {
  sim_settings model;
  model.link.latency_ns = 10'000;
  model.link.overhead_ns = 300;
  model.link.gap_ns = 70;
  model.link.gap_per_byte_ns = 2;
  constexpr std::uint64_t n_round_trips = 100;
  constexpr std::uint32_t bytes = 100;

  simulation whole(world_of(2, 1, model));
  whole.run([&](substrate& machine) {
    const pe_id other = 1 - machine.my_pe();
    for (std::uint64_t i = 0; i < n_round_trips; ++i) {
      const auto send = [&] {
        buffer* open = machine.try_acquire();
        while (open == nullptr) {
          unsigned patience = 0;
          machine.wait(patience);
          open = machine.try_acquire();
        }
        std::memset(open->payload(), 1, bytes);
        open->header.bytes = bytes;
        machine.post(*open, other);
      };
      if (machine.my_pe() == 0) send();
      unsigned patience = 0;
      buffer* arrived = machine.poll();
      for (; arrived == nullptr; arrived = machine.poll()) machine.wait(patience);
      machine.release(*arrived);
      if (machine.my_pe() == 1) send();
    }
    return 0;
  });
  const std::uint64_t one_way_ns = 10'000 + 2 * 300 + 2 * (bytes + sizeof(buffer_header));
  EXPECT_GE(whole.now_ns(), n_round_trips * 2 * one_way_ns);
  // The calls that look for a buffer are not free either, but cheap.
  EXPECT_LE(whole.now_ns(), n_round_trips * 2 * (one_way_ns + 200));
}

// Buffers from many PEs to one go through one port, so they take the sum of their bytes' times.
TEST(sim, a_receiver_is_as_fast_as_its_port) {
  sim_settings model;
  model.link.gap_per_byte_ns = 100;
  model.link.gap_ns = 0;
  constexpr std::int64_t n_pes = 9;
  constexpr std::uint32_t bytes = 200;
  simulation whole(world_of(n_pes, 1, model));
  whole.run([&](substrate& machine) {
    if (machine.my_pe() != 0) {
      buffer* open = machine.try_acquire();
      open->header.bytes = bytes;
      machine.post(*open, 0);
      return 0;
    }
    unsigned patience = 0;
    for (pe_id n = 1; n < n_pes;) {
      if (buffer* arrived = machine.poll()) {
        machine.release(*arrived);
        ++n;
      } else {
        machine.wait(patience);
      }
    }
    const std::uint64_t port_ns = (n_pes - 1) * 100 * (bytes + sizeof(buffer_header));
    EXPECT_GE(machine.now_ns(), port_ns);
    EXPECT_LE(machine.now_ns(), port_ns + 10'000);
    return 0;
  });
}

// A token goes round; each PE is idle except for one moment, and all of that costs almost nothing.
TEST(sim, a_ring_of_a_thousand_pes) {
  constexpr std::int64_t n_pes = 1000;
  settings chosen = world_of(n_pes, 1);
  chosen.n_slots.value = 512;
  chosen.slot_bytes.value = 32 << 10;  // 16 GiB of pools, hardly touched
  simulation whole(chosen);
  const int status = whole.run([](substrate& machine) {
    unsigned patience = 0;
    for (int turn = 0; turn < 3; ++turn) {
      if (machine.my_pe() != 0 || turn > 0) {
        buffer* arrived = machine.poll();
        for (; arrived == nullptr; arrived = machine.poll()) machine.wait(patience);
        EXPECT_EQ(arrived->header.n_items, static_cast<std::uint32_t>(turn - (machine.my_pe() == 0)));
        machine.release(*arrived);
      }
      buffer* open = machine.try_acquire();
      open->header.n_items = static_cast<std::uint32_t>(turn);
      open->header.bytes = 0;
      machine.post(*open, (machine.my_pe() + 1) % machine.n_pes());
    }
    test::barrier(machine);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(sim, a_thousand_pes_under_hostile_conditions) {
  settings chosen = world_of(1000, 7, test::hostile());
  simulation whole(chosen);
  EXPECT_EQ(whole.run(traffic(chosen, 20)), 0);
}

// Without knobs the seed only orders events of the same time; that must suffice to make a difference.
TEST(sim, senders_overtake_each_other_but_never_themselves) {
  bool has_seen_1_first = false;
  bool has_seen_2_first = false;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    simulation whole(world_of(3, seed));
    whole.run([&](substrate& machine) {
      if (machine.my_pe() != 0) {
        buffer* open = machine.try_acquire();
        open->header.bytes = 0;
        open->header.source = static_cast<std::int32_t>(machine.my_pe());
        machine.post(*open, 0);
        return 0;
      }
      unsigned patience = 0;
      buffer* arrived = machine.poll();
      for (; arrived == nullptr; arrived = machine.poll()) machine.wait(patience);
      (arrived->header.source == 1 ? has_seen_1_first : has_seen_2_first) = true;
      machine.release(*arrived);
      return 0;
    });
  }
  EXPECT_TRUE(has_seen_1_first);
  EXPECT_TRUE(has_seen_2_first);
}

// A PE that only polls makes time pass, and others get their turn.
TEST(sim, a_polling_pe_does_not_stop_the_world) {
  simulation whole(world_of(2, 1));
  whole.run([](substrate& machine) {
    if (machine.my_pe() == 0) {
      machine.charge_ns(1'000'000);
      buffer* open = machine.try_acquire();
      open->header.bytes = 0;
      machine.post(*open, 1);
      return 0;
    }
    buffer* arrived = nullptr;
    while (arrived == nullptr) arrived = machine.poll();
    EXPECT_GE(machine.now_ns(), 1'000'000u);
    machine.release(*arrived);
    return 0;
  });
}

TEST(sim, slow_pes_need_longer_for_the_same) {
  sim_settings model;
  model.slow_share = 0.25;
  model.slow_factor = 20;
  int n_slow = 0;
  simulation whole(world_of(8, 3, model));
  whole.run([&](substrate& machine) {
    machine.charge_ns(1'000'000);
    if (machine.now_ns() > 10'000'000) ++n_slow;
    return 0;
  });
  EXPECT_EQ(n_slow, 2);
}

TEST(sim, counts_what_it_carries) {
  simulation whole(world_of(2, 1));
  whole.run([](substrate& machine) {
    buffer* open = machine.try_acquire();
    open->header.bytes = 8;
    EXPECT_EQ(machine.n_free(), machine.n_slots() - 1);
    machine.post(*open, 1 - machine.my_pe());
    unsigned patience = 0;
    buffer* arrived = machine.poll();
    for (; arrived == nullptr; arrived = machine.poll()) machine.wait(patience);
    machine.release(*arrived);
    while (machine.n_free() < machine.n_slots()) machine.wait(patience);
    EXPECT_EQ(machine.counts().n_posted, 1u);
    EXPECT_EQ(machine.counts().n_received, 1u);
    EXPECT_GT(machine.counts().n_waits, 0u);
    return 0;
  });
}

// To oneself: no network in between, but the same rules.
TEST(sim, a_pe_alone_sends_to_itself) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    settings chosen = world_of(1, seed, seed % 2 == 0 ? test::hostile() : sim_settings{});
    chosen.n_slots.value = 1 + seed % 3;
    simulation whole(chosen);
    EXPECT_EQ(whole.run(traffic(chosen, 200)), 0);
  }
}

#if SHOAL_ADDRESS_SANITIZER
// A buffer in transit belongs to nobody; neither does one that was released.
TEST(sim_death_test, the_sanitizer_sees_use_of_a_buffer_that_was_given_away) {
  EXPECT_DEATH(simulation(world_of(2, 1)).run([](substrate& machine) {
    buffer* open = machine.try_acquire();
    open->header.bytes = 0;
    machine.post(*open, 1 - machine.my_pe());
    *open->payload() = std::byte{1};
    return 0;
  }),
               "use-after-poison");
}
#endif

}  // namespace
}  // namespace shoal::internal::sim
