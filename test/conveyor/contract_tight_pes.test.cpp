// The conveyor's contract on PEs that are processes, with buffers of a few items, a slot for each conveyor
// and no more that links could share.
// pes: 1 2 3 4 7
// env: SHOAL_SLOT_BYTES=64 SHOAL_SLOTS=4 SHOAL_SHARED_SLOTS=0
#include <gtest/gtest.h>

#include "test/support/claims.hpp"

namespace shoal::test {
namespace {

class conveyor_on_tight_pes : public testing::TestWithParam<claim> {};

TEST_P(conveyor_on_tight_pes, holds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) GetParam().check(world::current(), seed);
}

INSTANTIATE_TEST_SUITE_P(claims, conveyor_on_tight_pes, testing::ValuesIn(conveyor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
