// Goal: what the links of a job cost follows from its file, from the simulator's figures or from guesses, and says which.
#include "shoal/substrate/internal/link_costs.hpp"

#include <gtest/gtest.h>

#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

constexpr link_figures of_node{200, 50, 10, 0.1};
constexpr link_figures of_network{10'000, 500, 100, 2};

settings job_on(substrate_kind substrate, std::int64_t n_pes, std::int64_t node_size, bool has_file) {
  settings chosen;
  chosen.substrate.value = substrate;
  chosen.n_pes.value = n_pes;
  chosen.node_size.value = node_size;
  if (has_file) {
    chosen.network.value.emplace();
    chosen.network.value->node = of_node;
    chosen.network.value->network = of_network;
    chosen.network.value->item = {2, 5, 3};
  }
  return chosen;
}

TEST(link_costs, add_overheads_and_gap_of_a_buffer) {
  EXPECT_EQ(buffer_ns(of_network), 2 * 500u + 100);
  EXPECT_EQ(way_ns(of_network), 10'000u + 2 * 500);
}

TEST(link_costs, come_from_the_file) {
  const link_costs known = links_of(job_on(substrate_kind::mpi, 8, 4, true));
  EXPECT_EQ(known.node, of_node);
  EXPECT_EQ(known.network, of_network);
  EXPECT_EQ(known.byte_ns(), 4 * 2) << "four PEs share an interface";
  EXPECT_EQ(known.origin, figures_origin::file);
  EXPECT_EQ(known.item.relay_ns, 5);
}

TEST(link_costs, are_guessed_without_a_file) {
  const link_costs between = links_of(job_on(substrate_kind::mpi, 8, 4, false));
  EXPECT_EQ(between.network, guessed_network_links);
  EXPECT_EQ(between.origin, figures_origin::guess);
  const link_costs within = links_of(job_on(substrate_kind::local, 8, 4, false));
  EXPECT_EQ(within.network, guessed_node_links) << "its nodes share memory";
  EXPECT_EQ(within.byte_ns(), 0);
}

TEST(link_costs, of_a_node_have_bytes_for_nothing) {
  for (const substrate_kind each : {substrate_kind::mpi, substrate_kind::local}) {
    const link_costs known = links_of(job_on(each, 4, 4, true));
    EXPECT_EQ(known.node, of_node);
    EXPECT_EQ(known.network.overhead_ns, of_node.overhead_ns);
    EXPECT_EQ(known.byte_ns(), 0);
    EXPECT_EQ(known.origin, figures_origin::file);
  }
}

TEST(link_costs, on_the_simulator_are_its_own) {
  settings chosen = job_on(substrate_kind::sim, 8, 4, false);
  EXPECT_EQ(links_of(chosen).node, chosen.sim.value.link) << "one class";
  EXPECT_EQ(links_of(chosen).byte_ns(), chosen.sim.value.link.gap_per_byte_ns) << "an interface for each PE";
  EXPECT_EQ(links_of(chosen).origin, figures_origin::model);
  chosen.sim.value.link = of_network;
  chosen.sim.value.node_link = of_node;
  EXPECT_EQ(links_of(chosen).node, of_node);
  EXPECT_EQ(links_of(chosen).byte_ns(), 4 * 2);
  chosen.sim.value.item.relay_ns = 11;
  EXPECT_EQ(links_of(chosen).item.relay_ns, 11);
  chosen.n_pes.value = 4;
  EXPECT_EQ(links_of(chosen).network.overhead_ns, of_node.overhead_ns);
  EXPECT_EQ(links_of(chosen).byte_ns(), 0) << "there is no other node";
}

TEST(link_costs, that_were_guessed_give_way_to_what_is_measured) {
  link_costs guessed = links_of(job_on(substrate_kind::mpi, 8, 4, false));
  guessed.learn({.overhead_ns = 600});
  EXPECT_EQ(guessed.network_now().overhead_ns, 600u);
  EXPECT_EQ(guessed.network_now().gap_per_byte_ns, guessed_network_links.gap_per_byte_ns) << "not measured yet";
  guessed.learn({.byte_ns_least = 0.05, .byte_ns_most = 0.09});
  EXPECT_EQ(guessed.network_now().gap_per_byte_ns, guessed_network_links.gap_per_byte_ns) << "it may be that";
  EXPECT_EQ(guessed.network_now().overhead_ns, 600u) << "still";
  guessed.learn({.byte_ns_least = 0.4, .byte_ns_most = 0.6});
  EXPECT_EQ(guessed.byte_ns(), 0.4) << "with what the other PEs of the node send meanwhile";
  guessed.learn({.byte_ns_most = 0.02});
  EXPECT_EQ(guessed.network_now().gap_per_byte_ns, 0.02) << "the new bound rules out the old one";
  EXPECT_EQ(guessed.network_now().latency_ns, guessed_network_links.latency_ns);
  EXPECT_EQ(guessed.origin_now(), figures_origin::counters);
  EXPECT_EQ(guessed.origin, figures_origin::guess);
}

TEST(link_costs, that_were_guessed_are_measured_even_where_they_were_right) {
  link_costs guessed = links_of(job_on(substrate_kind::mpi, 8, 4, false));
  EXPECT_EQ(guessed.origin_now(), figures_origin::guess);
  guessed.learn({.overhead_ns = guessed_network_links.overhead_ns});
  EXPECT_EQ(guessed.origin_now(), figures_origin::counters);
}

// A file's figures hold unless what is measured cannot be due to them.
TEST(link_costs, that_were_known_follow_only_changes) {
  link_costs known = links_of(job_on(substrate_kind::mpi, 8, 4, true));
  known.learn({.overhead_ns = 9000, .byte_ns_least = 1, .byte_ns_most = 9});
  known.learn({.overhead_ns = 900});
  EXPECT_EQ(known.network_now(), of_network) << "the first sends open connections; the second ones are as usual";
  known.learn({.overhead_ns = 1700, .byte_ns_least = 15, .byte_ns_most = 20});
  EXPECT_EQ(known.network_now(), of_network) << "less than twice as much, if all four PEs send";
  EXPECT_EQ(known.origin_now(), figures_origin::file);
  known.learn({.overhead_ns = 2700, .byte_ns_least = 24, .byte_ns_most = 25});
  EXPECT_EQ(known.network_now().overhead_ns, 3 * of_network.overhead_ns);
  EXPECT_EQ(known.network_now().gap_per_byte_ns, 6);
  EXPECT_EQ(known.origin_now(), figures_origin::counters);
  known.learn({.overhead_ns = 900, .byte_ns_most = 1.1});
  EXPECT_EQ(known.network_now(), of_network) << "it is over";
  known.learn({.byte_ns_most = 0.8});
  EXPECT_EQ(known.network_now().gap_per_byte_ns, 0.8);
}

}  // namespace
}  // namespace shoal::internal
