// The contract of every kind of conveyor on PEs that are processes, with buffers of a few items, a slot for
// each conveyor and no more that links could share.
// pes: 1 2 3 4 7
// env: SHOAL_SLOT_BYTES=64 SHOAL_SLOTS=4 SHOAL_SHARED_SLOTS=0
#include <gtest/gtest.h>

#include "test/support/kind_claims.hpp"

namespace shoal::test {
namespace {

class kinds_on_tight_pes : public testing::TestWithParam<claim> {};

TEST_P(kinds_on_tight_pes, holds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) GetParam().check(world::current(), seed);
}

INSTANTIATE_TEST_SUITE_P(claims, kinds_on_tight_pes, testing::ValuesIn(kind_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
