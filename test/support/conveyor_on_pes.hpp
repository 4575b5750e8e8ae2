/// The conveyor's contract as a test of PEs that are processes: a source that includes this says with how many
/// PEs and in what environment. One such source makes one test program.
#pragma once

#include <gtest/gtest.h>

#include "test/support/claims.hpp"

namespace shoal::test {
namespace {

class conveyor_on_pes : public testing::TestWithParam<claim> {};

TEST_P(conveyor_on_pes, holds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) GetParam().check(world::current(), seed);
}

INSTANTIATE_TEST_SUITE_P(claims, conveyor_on_pes, testing::ValuesIn(conveyor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
