/// The actor layer's contract as a test of PEs that are processes: a source that includes this says with how many
/// PEs and in what environment. One such source makes one test program.
#pragma once

#include <gtest/gtest.h>

#include "test/support/claims.hpp"

namespace shoal::test {
namespace {

class actors_on_pes : public testing::TestWithParam<claim> {};

TEST_P(actors_on_pes, holds) {
  world& w = world::current();
  if (GetParam().slot_bytes > w.machine().payload_bytes()) GTEST_SKIP() << "its messages need larger buffers";
  for (std::uint64_t seed = 1; seed <= 3; ++seed) GetParam().check(w, seed);
}

INSTANTIATE_TEST_SUITE_P(claims, actors_on_pes, testing::ValuesIn(actor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
