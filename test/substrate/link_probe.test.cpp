// Goal: the probe finds the figures of the links that it measures, which only the simulator knows, and ends on real PEs.
// labels: sim
#include "shoal/substrate/internal/link_probe.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

using test::world_of;

link_measurement probed(settings chosen, link_probe_options options) {
  link_measurement found;
  simulation whole(chosen);
  EXPECT_EQ(whole.run([&](substrate& machine) {
    const link_measurement here = measure_link(machine, options);
    if (machine.my_pe() == options.near) found = here;
    return 0;
  }),
            0);
  return found;
}

void expect_near(double found, double expected, double share, double more) {
  EXPECT_GE(found, expected * (1 - share) - more);
  EXPECT_LE(found, expected * (1 + share) + more);
}

// Calls of the substrate cost 20 ns each, which the probe cannot tell from the link's own cost.
constexpr double calls_ns = 100;

TEST(link_probe, finds_the_figures_of_links) {
  const link_figures kinds[] = {
      {1000, 200, 100, 0.1}, {180'000, 10'000, 1000, 8, 0.25}, {7000, 200, 5000, 0.5}, {50, 400, 10, 0}};
  for (const link_figures& expected : kinds) {
    settings chosen = world_of(2, 1);
    chosen.slot_bytes.value = 32 << 10;
    chosen.n_slots.value = 32;
    chosen.sim.value.link = expected;
    const link_measurement found = probed(chosen, {.n_blocks = 3});
    SCOPED_TRACE(expected.latency_ns);
    expect_near(found.latency_ns.median, static_cast<double>(expected.latency_ns), 0.02,
                calls_ns + 100 * expected.gap_per_byte_ns);
    expect_near(found.overhead_ns.median, static_cast<double>(expected.overhead_ns), 0.02, calls_ns);
    const double least = std::max(static_cast<double>(expected.gap_ns), static_cast<double>(expected.overhead_ns));
    expect_near(found.gap_ns.median, least, 0.1, 2 * calls_ns + 100 * expected.gap_per_byte_ns);
    expect_near(found.ns_per_byte.median, expected.gap_per_byte_ns, 0.1, 0.01);
    expect_near(found.overhead_ns_per_byte.median, expected.overhead_per_byte_ns, 0.02, 0.001);
    EXPECT_LT(found.latency_ns.error, 0.02 * found.latency_ns.median + 1);
  }
}

// Then small buffers keep pace with the PEs, not with the link.
TEST(link_probe, finds_the_gap_per_byte_below_a_large_overhead) {
  settings chosen = world_of(2, 1);
  chosen.slot_bytes.value = 32 << 10;
  chosen.n_slots.value = 32;
  chosen.sim.value.link = {.latency_ns = 2000, .overhead_ns = 900, .gap_ns = 100, .gap_per_byte_ns = 0.1};
  const link_measurement found = probed(chosen, {.n_blocks = 3});
  expect_near(found.ns_per_byte.median, 0.1, 0.02, 0);
  expect_near(found.gap_ns.median, 900, 0.05, calls_ns);
}

TEST(link_probe, measures_the_links_of_a_node_and_between_nodes) {
  settings chosen = world_of(6, 1);
  test::make_nodes(chosen, 3);
  chosen.sim.value.link.latency_ns = 20'000;
  expect_near(probed(chosen, {.near = 4, .far = 5, .n_blocks = 3}).latency_ns.median, 100, 0, calls_ns);
  expect_near(probed(chosen, {.near = 1, .far = 3, .n_blocks = 3}).latency_ns.median, 20'000, 0.02, calls_ns);
}

TEST(link_probe, has_a_point_for_each_size_that_a_slot_can_have) {
  const link_measurement found = probed(world_of(2, 1), {.n_blocks = 3, .payloads = {1, 64, 64, 200, 1 << 20}});
  ASSERT_EQ(found.points.size(), 4u);
  EXPECT_EQ(found.points[1].payload_bytes, 64u);
  EXPECT_EQ(found.points[3].payload_bytes, 256u);
  for (std::size_t i = 1; i < found.points.size(); ++i) {
    EXPECT_GT(found.points[i].one_way_ns.median, found.points[i - 1].one_way_ns.median);
    EXPECT_GE(found.points[i].stream_ns.median, found.points[i - 1].stream_ns.median);
  }
}

TEST(link_probe, ends_under_hostile_conditions) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    settings chosen = world_of(2 + static_cast<std::int64_t>(seed % 4), seed, test::hostile());
    chosen.n_slots.value = 1 + seed % 3;
    chosen.slot_bytes.value = 64;
    const link_measurement found = probed(chosen, {.near = 1, .far = 0, .n_blocks = 3, .block_ns = 100'000});
    EXPECT_GT(found.latency_ns.median, 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace shoal::internal::sim
