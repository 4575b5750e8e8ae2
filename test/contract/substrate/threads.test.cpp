// The contract of control messages on PEs that are threads: the same cells as between processes, but the thread
// sanitizer sees both ends.
// labels: threads
// processors: 2
// timeout: 120
#include <gtest/gtest.h>

#include "shoal/substrate/internal/local/local.hpp"
#include "test/contract/substrate/control_claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {

using namespace internal;
namespace {

TEST(control_messages_on_threads, keep_their_contract) {
  for (const std::int64_t n_pes : {1, 2, 3, 4, 7}) {
    settings chosen = on_threads(n_pes);
    chosen.n_slots.value = 4;
    chosen.slot_bytes.value = 64;
    for (const control_claim& claim : control_claims()) {
      SCOPED_TRACE(std::to_string(n_pes) + " PEs: " + claim.name);
      local::run_threads(chosen, [&](substrate& machine) {
        claim.check(machine, static_cast<std::uint64_t>(n_pes));
        return 0;
      });
    }
    local::run_threads(chosen, [](substrate& machine) {
      leave_control_messages_unread(machine, 1);
      return 0;
    });
  }
}

}  // namespace
}  // namespace shoal::test
