// Goal: patches end in the same bits whatever a legal machine does. Method: small simulations in the simulator, each seed with another
// number of PEs, other buffers and other hostile conditions.
// labels: sim
#include "shoal/base/random.hpp"
#include "test/support/jobs.hpp"
#include "test/swe/expected_state.hpp"

namespace shoal::test {
namespace {

TEST(swe_in_sim, forms_end_in_the_same_bits) {
  for_seeds(40, [](std::uint64_t seed) {
    random_engine random(seed, 5);
    swe::simulation what{.scenario_name = seed % 2 == 0 ? "pool_drop" : "thacker_planar",
                         .n_x = 8 + random.below(20),
                         .n_y = 6 + random.below(20),
                         .patch_size = 2 + random.below(12),
                         .end_time = seed % 2 == 0 ? 2 : 0.2};
    what.steps = static_cast<swe::step_rule>(seed % 3);
    what.channel_capacity = static_cast<std::uint32_t>(2 + random.below(3));
    run_job(hostile(seed, {.n_mailboxes = 4}),
            [&](world& w) { seed % 4 < 2 ? expect_same_bits<double>(w, what) : expect_same_bits<float>(w, what); });
  });
}

}  // namespace
}  // namespace shoal::test
