// The conveyor's contract over routes of three hops, on PEs that are processes, on nodes of 3 PEs; the last one may
// have fewer.
// pes: 1 2 3 4 7 12
// env: SHOAL_NODE_SIZE=3 SHOAL_HOPS=3
#include <gtest/gtest.h>

#include "test/support/claims.hpp"

namespace shoal::test {
namespace {

class conveyor_on_pes : public testing::TestWithParam<claim> {};

TEST_P(conveyor_on_pes, holds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) GetParam().check(world::current(), seed);
}

INSTANTIATE_TEST_SUITE_P(claims, conveyor_on_pes, testing::ValuesIn(conveyor_claims()),
                         claim_name{});

}  // namespace
}  // namespace shoal::test
