// Claims: a graph's tokens are what its actors write, however they are placed and whoever acts when.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/dataflow.hpp"
#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"
#include "test/contract/dataflow/random_graph.hpp"

namespace shoal::test {
namespace {

constexpr std::size_t n_actors_max = 24;
constexpr std::uint64_t n_firings_max = 40;

dataflow::placement placement_of(std::uint64_t seed, pe_id n_pes) {
  if (seed % 3 == 0) return dataflow::placement::block();
  if (seed % 3 == 1) return dataflow::placement::cyclic();
  return dataflow::placement::by([seed, n_pes](const std::string& name) {
    return static_cast<pe_id>((name.size() + static_cast<std::size_t>(name.back()) + seed) %
                              static_cast<std::uint64_t>(n_pes));
  });
}

// All actors are added by PE 0, or each by a PE of its own; channels likewise, by another PE.
void tokens_are_those_of_a_serial_run(world& w, std::uint64_t seed) {
  const random_graph plan(seed, n_actors_max, n_firings_max);
  dataflow::graph graph(w);
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  const auto me = static_cast<std::uint64_t>(w.my_pe());
  for (std::size_t a = 0; a < plan.actors.size(); ++a) {
    if ((seed % 2 == 0 ? 0 : a % n_pes) != me) continue;
    if (a % 5 == 4) {
      graph.add_here(name_of_actor(a), std::make_unique<mixing_actor>(plan, a));
    } else if (a % 5 == 3) {
      graph.add<mixing_actor>({name_of_actor(a), 1.5, static_cast<pe_id>((a + seed) % n_pes)}, seed, n_actors_max,
                              n_firings_max, a);
    } else {
      graph.add<mixing_actor>(name_of_actor(a), seed, n_actors_max, n_firings_max, a);
    }
  }
  for (std::size_t c = 0; c < plan.channels.size(); ++c) {
    if ((seed % 4 < 2 ? 0 : (c + 1) % n_pes) != me) continue;
    const random_channel& its = plan.channels[c];
    graph.connect({name_of_actor(its.from), name_of_port(c)}, {name_of_actor(its.to), name_of_port(c)},
                  {.capacity = its.capacity, .length = 8});
  }
  graph.place(placement_of(seed, w.n_pes()));
  graph.run();
  const std::vector<std::uint64_t> expected = expected_digests(plan);
  std::uint64_t n_here = 0;
  for (std::size_t a = 0; a < plan.actors.size(); ++a) {
    const auto* const its = graph.find<mixing_actor>(name_of_actor(a));
    if (its == nullptr) continue;
    ++n_here;
    EXPECT_EQ(its->digest(), expected[a]) << name_of_actor(a);
    EXPECT_EQ(its->n_left(), 0U);
    EXPECT_FALSE(its->has_overlapped());
  }
  EXPECT_EQ(w.sum(n_here), plan.actors.size());
}

}  // namespace

std::vector<claim> graph_claims() {
  return {
      {"tokens_are_those_of_a_serial_run", tokens_are_those_of_a_serial_run, 4},
  };
}

}  // namespace shoal::test
