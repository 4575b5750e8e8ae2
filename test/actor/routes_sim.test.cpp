// Goal: routes of two and three hops keep the actor layer's contract, on nodes of equal and unequal size. Method:
// every claim in the simulator, each seed with another route, node size, codec and number of PEs, other buffers
// and other hostile conditions.
// labels: sim
// timeout: 300
#include <gtest/gtest.h>

#include "shoal/base/random.hpp"
#include "test/support/claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

class routes_of_actors_in_sim : public testing::TestWithParam<claim> {};

TEST_P(routes_of_actors_in_sim, hold) {
  const claim& c = GetParam();
  for_seeds(25, [&](std::uint64_t seed) {
    // A tag beside the largest message, and a port for each hop.
    settings chosen = hostile(seed, {.n_mailboxes = 3 * c.n_ports, .slot_bytes = c.slot_bytes + 64});
    random_engine random(seed, 77);
    chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(5));
    chosen.n_hops.value = 2 + static_cast<std::int64_t>(random.below(2));
    constexpr const char* codecs[] = {"none", "squeeze", "delta"};
    chosen.codec.value = codecs[random.below(3)];
    chosen.ns_per_byte.value = 1;
    run_job(chosen, [&](world& w) { c.check(w, seed); });
  });
}

INSTANTIATE_TEST_SUITE_P(claims, routes_of_actors_in_sim, testing::ValuesIn(actor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
