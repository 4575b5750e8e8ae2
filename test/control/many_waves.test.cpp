// Goal: many waves of several groups at once keep their promises, whatever the network does and whenever PEs come.
//
// Up to 24 PEs take turns in random order in one thread. Waves are made late and destroyed at once, names are reused,
// and the job is opened up to three times.
// timeout: 240
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "shoal/base/random.hpp"
#include "test/control/control_network.hpp"
#include "test/control/wave_player.hpp"
#include "test/support/jobs.hpp"

namespace shoal::internal {
namespace {

using test::control_network;

std::vector<std::uint32_t> some_nodes(pe_id n_pes, random_engine& random) {
  if (random.chance(0.2)) return {};
  std::vector<std::uint32_t> nodes;
  const std::uint64_t n_nodes = 1 + random.below(static_cast<std::uint64_t>(n_pes));
  std::vector<std::uint32_t> numbers(n_nodes, 0xffff'ffff);
  std::uint32_t n_used = 0;
  for (pe_id pe = 0; pe < n_pes; ++pe) {
    std::uint32_t& number = numbers[random.below(n_nodes)];
    if (number == 0xffff'ffff) number = n_used++;
    nodes.push_back(number);
  }
  return nodes;
}

void run_seed(std::uint64_t seed) {
  random_engine random(seed);
  const auto n_pes = static_cast<pe_id>(1 + random.below(24));
  control_network network({.n_pes = n_pes,
                           .nodes = some_nodes(n_pes, random),
                           .seed = seed,
                           .refuse = random.chance(0.5) ? random.uniform() * 0.8 : 0,
                           .hold = random.chance(0.5) ? random.uniform() * 0.5 : 0,
                           .hold_polls_max = 1 + random.below(3000)});
  const std::vector<membership> groups = some_groups(n_pes, random);
  std::vector<job_opening> openings = some_openings(n_pes, groups, random);
  std::deque<wave_player> players;
  for (pe_id pe = 0; pe < n_pes; ++pe) players.emplace_back(network.at(pe), openings, seed);

  constexpr std::uint64_t n_turns_max = 3'000'000;
  const auto is_over = [&] {
    const auto is_through = [](const wave_player& player) { return player.is_through(); };
    return network.n_under_way() == 0 && std::all_of(players.begin(), players.end(), is_through);
  };
  for (std::uint64_t n = 0; !is_over() && !testing::Test::HasFailure(); ++n) {
    players[random.below(players.size())].turn();
    if (n < n_turns_max) continue;
    for (const wave_player& player : players) player.report();
    FAIL() << "the job does not end";
  }
}

TEST(waves, keep_their_promises_in_many_groups_at_once) { test::for_seeds(1000, run_seed); }

}  // namespace
}  // namespace shoal::internal
