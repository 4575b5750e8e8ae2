// Goal: routes of two and three hops keep the actor layer's contract, on nodes of equal and unequal size. Method:
// every claim in the simulator, each seed with another route, node size, codec and number of PEs, other buffers
// and other hostile conditions.
// labels: sim
// timeout: 300
#include <gtest/gtest.h>

#include "test/support/claims.hpp"
#include "test/support/routes_job.hpp"

namespace shoal::test {
namespace {

class routes_of_actors_in_sim : public testing::TestWithParam<claim> {};

TEST_P(routes_of_actors_in_sim, hold) { check_on_routes(GetParam(), 25, 9); }

INSTANTIATE_TEST_SUITE_P(claims, routes_of_actors_in_sim, testing::ValuesIn(actor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
