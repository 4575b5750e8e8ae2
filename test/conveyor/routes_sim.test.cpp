// Goal: routes of two and three hops keep the conveyor's contract, on nodes of equal and unequal size. Method:
// every claim in the simulator, each seed with another route, node size, codec and number of PEs, other buffers
// and other hostile conditions.
// labels: sim
// timeout: 240
#include <gtest/gtest.h>

#include "test/support/claims.hpp"
#include "test/support/routes_job.hpp"

namespace shoal::test {
namespace {

class routes_in_sim : public testing::TestWithParam<claim> {};

TEST_P(routes_in_sim, hold) { check_on_routes(GetParam(), 60, 13); }

INSTANTIATE_TEST_SUITE_P(claims, routes_in_sim, testing::ValuesIn(conveyor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
