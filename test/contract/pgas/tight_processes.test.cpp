// Distributed arrays and loops over their elements on PEs that are processes, with buffers of a few messages, a slot
// for each mailbox and no slots for links to share.
// pes: 1 2 3 4 7
// env: SHOAL_SLOT_BYTES=64 SHOAL_SLOTS=12 SHOAL_SHARED_SLOTS=0
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("loops_on_pes", aggregate_claims(), 3);

}  // namespace shoal::test
