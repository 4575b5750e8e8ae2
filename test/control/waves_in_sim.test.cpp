// Goal: many waves of several groups at once keep their promises over control messages of the simulator. Method: the
// traffic of many_waves, as a job whose PEs, buffers and hostile conditions follow from the seed.
// labels: sim
#include <gtest/gtest.h>

#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/substrate/internal/sim/simulation.hpp"
#include "test/control/wave_player.hpp"
#include "test/support/jobs.hpp"

namespace shoal::internal {
namespace {

void run_simulated_seed(std::uint64_t seed) {
  const settings chosen = test::hostile(seed, {.n_pes_max = 24});
  const auto n_pes = static_cast<pe_id>(chosen.n_pes.value);
  random_engine random(seed);
  const std::vector<membership> groups = some_groups(n_pes, random);
  std::vector<job_opening> openings = some_openings(n_pes, groups, random);
  pe_id n_through = 0;
  sim::simulation job(chosen);
  const int status = job.run([&](substrate& machine) {
    wave_player player(machine, openings, seed);
    bool is_through = false;
    for (unsigned patience = 0; n_through < n_pes && !testing::Test::HasFailure();) {
      if (player.turn()) patience = 0;
      if (!is_through && player.is_through()) {
        is_through = true;
        ++n_through;
      }
      // Parts decide on their own what to do next, so no PE may sleep until a message comes.
      machine.charge_ns(100);
      machine.pause(patience);
    }
    player.report();
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(waves_in_sim, keep_their_promises_in_many_groups_at_once) { test::for_seeds(500, run_simulated_seed); }

}  // namespace
}  // namespace shoal::internal
