// Checks that control messages keep their contract. Can be started on the PEs of any backend; prints "ok" on PE 0. The
// job ends with messages that nobody has read.
#include <gtest/gtest.h>

#include <cstdio>

#include "test/contract/substrate/control_claims.hpp"
#include "test/support/bare_substrate.hpp"

namespace shoal::test {

using namespace internal;
namespace {

int run_pe(substrate& machine) {
  for (const control_claim& claim : control_claims()) {
    SCOPED_TRACE(claim.name);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) claim.check(machine, seed);
  }
  leave_control_messages_unread(machine, 1);
  machine.finished();
  const bool is_well = !testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed();
  if (is_well && machine.my_pe() == 0) std::printf("ok: %d PEs\n", static_cast<int>(machine.n_pes()));
  return is_well ? 0 : 1;
}

}  // namespace
}  // namespace shoal::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return shoal::test::run_on_bare_substrate(shoal::test::run_pe);
}
