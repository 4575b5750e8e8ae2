// Goal: many waves of several groups at once keep their promises, whatever the network does and whenever PEs come.
//
// Up to 24 PEs take turns in random order in one thread. Waves are made late and destroyed at once, names are used again,
// and the job is opened up to three times.
// timeout: 240
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/control/plane.hpp"
#include "test/control/control_network.hpp"
#include "test/control/wave_plans.hpp"
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

struct member {
  member(control_network& network, pe_id pe, std::uint64_t seed)
      : plane(network.at(pe)), random(seed, 1000 + static_cast<std::uint64_t>(pe)) {}
  control_plane plane;
  random_engine random;
  std::size_t opening = 0;
  bool has_closed = false;
};

void turn_of(pe_id pe, member& self, control_network& network, std::vector<opening>& openings) {
  if (self.random.chance(0.1)) return;  // this PE computes
  pe_state state{network.at(pe), self.plane, self.random};
  if (self.opening < openings.size()) {
    opening& now = openings[self.opening];
    bool are_done = true;
    for (const auto& next : now.parts[static_cast<std::size_t>(pe)]) {
      next->turn(state);
      are_done = are_done && next->is_done();
    }
    if (are_done && !std::exchange(self.has_closed, true)) ++now.n_closed;
    // All PEs meet when the job closes, but do not leave at the same time.
    if (now.n_closed == static_cast<pe_id>(now.parts.size()) && self.random.chance(0.05)) {
      for (const auto& next : now.parts[static_cast<std::size_t>(pe)]) next->close();
      ++self.opening;
      self.has_closed = false;
      if (self.opening < openings.size()) self.plane.reopen();
    }
  }
  self.plane.progress();
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
  std::vector<opening> openings(1 + random.below(3));
  for (opening& next : openings) plan_waves(next, groups, n_pes, random);
  std::deque<member> members;
  for (pe_id pe = 0; pe < n_pes; ++pe) members.emplace_back(network, pe, seed);

  constexpr std::uint64_t n_turns_max = 3'000'000;
  const auto is_through = [&] {
    return network.n_under_way() == 0 && std::all_of(members.begin(), members.end(), [&](const member& self) {
             return self.opening == openings.size() && !self.plane.is_busy();
           });
  };
  for (std::uint64_t n = 0; !is_through() && !testing::Test::HasFailure(); ++n) {
    const auto pe = static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes)));
    turn_of(pe, members[static_cast<std::size_t>(pe)], network, openings);
    if (n < n_turns_max) continue;
    for (pe_id waits = 0; waits < n_pes; ++waits) {
      const std::size_t at = members[static_cast<std::size_t>(waits)].opening;
      if (at == openings.size()) continue;
      for (const auto& next : openings[at].parts[static_cast<std::size_t>(waits)]) {
        if (!next->is_done()) ADD_FAILURE() << "PE " << waits << " waits for ever: " << next->describe();
      }
    }
    FAIL() << "the job does not end";
  }
}

TEST(waves, keep_their_promises_in_many_groups_at_once) { test::for_seeds(1000, run_seed); }

}  // namespace
}  // namespace shoal::internal
