// The actor layer's contract on PEs that are processes, with buffers of a few messages, a slot for each mailbox
// and no more that links could share.
// pes: 1 2 3 4 7
// env: SHOAL_SLOT_BYTES=64 SHOAL_SLOTS=12 SHOAL_SHARED_SLOTS=0
#include <gtest/gtest.h>

#include "test/support/claims.hpp"

namespace shoal::test {
namespace {

class actors_on_tight_pes : public testing::TestWithParam<claim> {};

TEST_P(actors_on_tight_pes, holds) {
  world& w = world::current();
  if (GetParam().slot_bytes > w.machine().payload_bytes()) GTEST_SKIP() << "its messages need larger buffers";
  for (std::uint64_t seed = 1; seed <= 3; ++seed) GetParam().check(w, seed);
}

INSTANTIATE_TEST_SUITE_P(claims, actors_on_tight_pes, testing::ValuesIn(actor_claims()),
                         claim_name{});

}  // namespace
}  // namespace shoal::test
