// Goal: a job that measures its links at the start finds the simulator's figures, tells all PEs the same, and runs as before.
// labels: sim
#include <gtest/gtest.h>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/internal/link_costs.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal {

using namespace internal;
namespace {

constexpr link_figures of_node{300, 400, 100, 0.1};
constexpr link_figures of_network{80'000, 10'000, 1000, 8};

settings probing_job(std::int64_t n_pes, std::int64_t node_size) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = n_pes;
  chosen.node_size.value = node_size;
  chosen.heap_bytes.value = 1 << 16;
  chosen.memory_bytes.value = 16 << 20;
  chosen.sim.value.link = of_network;
  chosen.sim.value.node_link = of_node;
  chosen.probes_network = true;
  return chosen;
}

// The probe cannot tell the calls of the substrate, of 20 ns each, from the link's own cost.
void expect_near(double found, double expected) { EXPECT_NEAR(found, expected, 0.1 * expected + 200); }

void expect_figures(const link_figures& found, const link_figures& expected) {
  expect_near(static_cast<double>(found.latency_ns), static_cast<double>(expected.latency_ns));
  expect_near(static_cast<double>(found.overhead_ns), static_cast<double>(expected.overhead_ns));
  EXPECT_NEAR(found.gap_per_byte_ns, expected.gap_per_byte_ns, 0.1 * expected.gap_per_byte_ns);
}

TEST(start_probe, finds_the_figures_of_both_classes_on_all_pes) {
  const int status = run_with(probing_job(8, 4), [](world& w) {
    const link_costs& costs = w.backend().links();
    expect_figures(costs.node, of_node);
    expect_figures(costs.network, of_network);
    EXPECT_EQ(costs.n_sharing, 4);
    EXPECT_EQ(costs.origin, figures_origin::probe);
    EXPECT_EQ(w.sum(costs.network.latency_ns), 8 * costs.network.latency_ns);
    EXPECT_EQ(w.sum(costs.node.overhead_ns), 8 * costs.node.overhead_ns);
    EXPECT_LT(w.now_ns(), 1'000'000'000u) << "below a second";
    std::uint64_t n = 0;
    actor count{w, [&](std::uint64_t) { ++n; }};
    w.finish([&] {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) count.send(pe, std::uint64_t{1});
    });
    EXPECT_EQ(n, 8u);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(start_probe, measures_what_links_there_are) {
  run_with(probing_job(4, 4), [](world& w) {
    expect_figures(w.backend().links().node, of_node);
    EXPECT_EQ(w.backend().links().byte_ns(), 0) << "there is no other node";
    return 0;
  });
  run_with(probing_job(3, 1), [](world& w) {
    expect_figures(w.backend().links().network, of_network);
    return 0;
  });
  run_with(probing_job(1, 1), [](world& w) {
    EXPECT_NE(w.backend().links().origin, figures_origin::probe) << "one PE has no links";
    return 0;
  });
}

}  // namespace
}  // namespace shoal
