// Goal: links within a node and between nodes each take their own time; the PEs of a node share one interface to the others;
// jitter keeps order; a round costs what its steps and bytes do. PEs that share cores take turns, also with what carries buffers.
// labels: sim
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "shoal/substrate/internal/sim/network.hpp"
#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

constexpr std::size_t bytes = 1000;

sim_settings two_classes() {
  sim_settings model;
  model.link = {.latency_ns = 10'000, .overhead_ns = 500, .gap_ns = 100, .gap_per_byte_ns = 2};
  model.node_link = {.latency_ns = 200, .overhead_ns = 50, .gap_ns = 10, .gap_per_byte_ns = 0.1};
  return model;
}

TEST(sim_links, take_the_time_of_their_class) {
  network links(two_classes(), 8, 4);
  EXPECT_EQ(links.send(0, 3, bytes, 0), 200u);
  EXPECT_EQ(links.receive(0, 3, bytes, 200), 200u + 100);
  EXPECT_EQ(links.send(0, 4, bytes, 0), 10'000u);
  EXPECT_EQ(links.receive(0, 4, bytes, 10'000), 10'000u + 2000);
  EXPECT_EQ(links.overhead_ns(0, 3), 50u);
  EXPECT_EQ(links.overhead_ns(3, 4), 500u);
  EXPECT_EQ(links.one_way_ns(0, 3, bytes), 200u + 2 * 50 + 100);
  EXPECT_EQ(links.one_way_ns(0, 7, bytes), 10'000u + 2 * 500 + 2000);
  EXPECT_EQ(links.send_credit(4, 0, 7), 10'007u);
  EXPECT_EQ(links.send_credit(3, 0, 7), 207u);
}

TEST(sim_links, to_other_nodes_share_an_interface) {
  network links(two_classes(), 8, 4);
  EXPECT_EQ(links.send(0, 4, bytes, 0), 10'000u);
  EXPECT_EQ(links.send(1, 5, bytes, 0), 10'000u + 2100) << "PE 1 waits for PE 0, which is on its node";
  EXPECT_EQ(links.send(4, 0, bytes, 0), 10'000u) << "another node has another interface";
  EXPECT_EQ(links.send(1, 2, bytes, 0), 200u) << "within a node there is none";
  EXPECT_EQ(links.receive(0, 4, bytes, 10'000), 12'000u);
  EXPECT_EQ(links.receive(1, 5, bytes, 10'000), 12'000u + 100 + 2000) << "the other end is shared, too";
}

TEST(sim_links, of_one_class_have_an_interface_for_each_pe) {
  sim_settings model = two_classes();
  model.node_link.reset();
  network links(model, 8, 4);
  EXPECT_EQ(links.send(0, 3, bytes, 0), 10'000u);
  EXPECT_EQ(links.send(1, 5, bytes, 0), 10'000u);
  EXPECT_EQ(links.least_latency_ns(), 10'000u);
}

TEST(sim_links, of_the_only_node_are_the_usual_ones) {
  EXPECT_EQ(network(two_classes(), 8, 4).least_latency_ns(), 200u);
  EXPECT_EQ(network(two_classes(), 8, 4).usual_latency_ns(), 10'000u);
  EXPECT_EQ(network(two_classes(), 4, 4).usual_latency_ns(), 200u);
}

TEST(sim_links, jitter_between_nodes_and_stay_in_order) {
  sim_settings model = two_classes();
  model.jitter_ns = 4000;
  model.link.gap_per_byte_ns = 0;
  network links(model, 8, 4);
  std::vector<std::uint64_t> took;
  std::uint64_t last = 0;
  for (std::uint64_t now = 0; now < 1'000'000; now += 10'000) {
    const std::uint64_t reached = links.send(0, 4, bytes, now);
    EXPECT_GT(reached, last);
    last = reached;
    took.push_back(reached - now);
    EXPECT_EQ(links.send(0, 1, bytes, now), now + 200);
  }
  const auto [least, most] = std::minmax_element(took.begin(), took.end());
  EXPECT_GE(*least, 6000u);
  EXPECT_LE(*most, 14'000u);
  EXPECT_LT(*least, 7000u);
  EXPECT_GT(*most, 13'000u);
  std::uint64_t last_of_many = 0;
  for (std::uint64_t now = 2'000'000; now < 2'010'000; now += 10) {
    const std::uint64_t reached = links.send(0, 4, bytes, now);
    EXPECT_GT(reached, last_of_many) << "sent at " << now;
    last_of_many = reached;
  }
}

TEST(sim_links, change_at_a_time_between_nodes) {
  sim_settings model = two_classes();
  model.shift_ns = 50'000;
  model.shift_factor = 3;
  network links(model, 8, 4);
  links.reach(49'999);
  EXPECT_EQ(links.send(0, 4, bytes, 49'999), 59'999u);
  EXPECT_EQ(links.overhead_ns(0, 4), 500u);
  links.reach(50'000);
  links.reach(80'000);
  EXPECT_EQ(links.send(4, 0, bytes, 80'000), 110'000u);
  EXPECT_EQ(links.receive(4, 0, bytes, 110'000), 110'000u + 6000);
  EXPECT_EQ(links.overhead_ns(0, 4), 1500u);
  EXPECT_EQ(links.one_way_ns(0, 3, bytes), 200u + 2 * 50 + 100) << "within a node nothing changes";
  model.shift_factor = 0.5;
  EXPECT_EQ(network(model, 8, 1).least_latency_ns(), 200u);
  model.node_link.reset();
  EXPECT_EQ(network(model, 8, 1).least_latency_ns(), 5000u) << "no PE may run further ahead at any time";
}

// When PE 0 has read a word of PE 1 ten times, and does nothing else.
std::uint64_t time_of_reads(const sim_settings& model) {
  std::uint64_t end_ns = 0;
  simulation(test::world_of(2, 1, model)).run([&](substrate& machine) {
    std::uint64_t word = 0;
    for (int i = 0; i < 10 && machine.my_pe() == 0; ++i) machine.heap().get(&word, 0, sizeof word, 1);
    if (machine.my_pe() == 0) end_ns = machine.now_ns();
    test::barrier(machine);
    return 0;
  });
  return end_ns;
}

TEST(sim_links, change_for_blocking_calls_too) {
  sim_settings model;
  const std::uint64_t usual_ns = time_of_reads(model);
  model.shift_ns = usual_ns / 2;
  model.shift_factor = 10;
  EXPECT_GT(time_of_reads(model), 4 * usual_ns) << "half of them take ten times as long";
}

TEST(sim_links, make_rounds_that_cost_their_bytes) {
  const network links(two_classes(), 16, 4);
  const std::uint64_t gathered_ns = 300 + 4 * (50 + 6);
  const std::uint64_t exchanged_ns = 2 * (11'000 + 100) + 12 * 64 * 2;  // four nodes: two steps
  EXPECT_EQ(links.round_ns(64), gathered_ns + exchanged_ns + 300);
  EXPECT_EQ(network(two_classes(), 4, 4).round_ns(0), 300u + 4 * 50 + 300) << "one node";
  EXPECT_EQ(network(two_classes(), 4, 1).round_ns(10), 2 * 11'100u + 3 * 10 * 2) << "a PE a node";
  sim_settings one_class = two_classes();
  one_class.node_link.reset();
  EXPECT_EQ(network(one_class, 16, 4).round_ns(64), 2 * 4 * (11'000 + 128u));
}

// --- Cores

// The time at which all PEs have computed for a millisecond.
std::uint64_t time_of_computing(std::uint64_t n_cores, std::int64_t n_pes) {
  sim_settings model;
  model.n_cores = n_cores;
  simulation whole(test::world_of(n_pes, 1, model));
  whole.run([](substrate& machine) {
    for (int i = 0; i < 100; ++i) {
      machine.charge_ns(10'000);
      unsigned patience = 0;
      machine.pause(patience);
    }
    return 0;
  });
  return whole.now_ns();
}

TEST(sim_cores, are_shared_by_those_that_compute) {
  const std::uint64_t alone_ns = time_of_computing(0, 6);
  EXPECT_GE(alone_ns, 1'000'000u);
  EXPECT_EQ(time_of_computing(6, 6), alone_ns);
  EXPECT_EQ(time_of_computing(100, 6), alone_ns);
  for (const std::uint64_t n_cores : {1U, 2U, 3U, 4U}) {
    const std::uint64_t took_ns = time_of_computing(n_cores, 6);
    EXPECT_GE(took_ns, 6 * 1'000'000 / n_cores) << n_cores;
    EXPECT_LE(took_ns, 6 * alone_ns / n_cores + 200'000) << n_cores;
  }
}

TEST(sim_cores, are_not_needed_for_waiting) {
  sim_settings model;
  model.n_cores = 1;
  model.link.latency_ns = 1'000'000;
  simulation whole(test::world_of(5, 1, model));
  whole.run([](substrate& machine) {
    if (machine.my_pe() == 0) machine.charge_ns(3'000'000);
    test::barrier(machine);
    return 0;
  });
  const std::uint64_t round_ns = 2 * 3 * (1'000'000 + 2 * 200);
  EXPECT_GE(whole.now_ns(), 3'000'000 + round_ns);
  EXPECT_LE(whole.now_ns(), 3'000'000 + round_ns + 10'000);
}

// When PE 1 sees a buffer of PE 0, which computes for `busy_ns` after it has posted it.
std::uint64_t time_of_buffer(const sim_settings& model, std::uint64_t busy_ns) {
  std::uint64_t seen_ns = 0;
  simulation whole(test::world_of(2, 1, model));
  whole.run([&](substrate& machine) {
    if (machine.my_pe() == 0) {
      buffer& full = *machine.try_acquire();
      full.header.bytes = 200;
      machine.post(full, 1);
      machine.charge_ns(busy_ns);
    } else {
      buffer* arrived = machine.poll();
      for (unsigned patience = 0; arrived == nullptr; arrived = machine.poll()) machine.wait(patience);
      seen_ns = machine.now_ns();
      machine.release(*arrived);
    }
    return 0;
  });
  return seen_ns;
}

TEST(sim_cores, carry_what_a_network_of_software_takes) {
  sim_settings model;
  model.link.latency_ns = 10'000;
  const std::uint64_t usual_ns = time_of_buffer(model, 0);
  model.carrier = {.ns = 5000, .ns_per_byte = 10};
  EXPECT_EQ(time_of_buffer(model, 0), usual_ns) << "only where PEs share cores";
  model.n_cores = 2;
  const std::uint64_t bytes_ns = 10 * network::wire_bytes(200);
  const std::uint64_t carried_ns = time_of_buffer(model, 0);
  EXPECT_GE(carried_ns, usual_ns + bytes_ns);
  EXPECT_LE(carried_ns, usual_ns + bytes_ns + 100) << "the latency has what an empty buffer takes";
  EXPECT_EQ(time_of_buffer(model, 50'000), carried_ns) << "on the other core";
  model.n_cores = 1;
  EXPECT_GE(time_of_buffer(model, 50'000), 50'000 + bytes_ns);
}

}  // namespace
}  // namespace shoal::internal::sim
