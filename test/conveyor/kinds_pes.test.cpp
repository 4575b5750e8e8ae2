// The contract of every kind of conveyor on PEs that are processes, with the sizes that a user gets.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include "test/support/kind_claims.hpp"

namespace shoal::test {
namespace {

class kinds_on_pes : public testing::TestWithParam<claim> {};

TEST_P(kinds_on_pes, holds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) GetParam().check(world::current(), seed);
}

INSTANTIATE_TEST_SUITE_P(claims, kinds_on_pes, testing::ValuesIn(kind_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
