// The actor layer's contract over routes of three hops, on PEs that are processes, with buffers of a few messages, a
// slot for each hop of each mailbox and no slots for links to share.
// pes: 4
// env: SHOAL_NODE_SIZE=3 SHOAL_HOPS=3 SHOAL_SLOT_BYTES=128 SHOAL_SLOTS=36 SHOAL_SHARED_SLOTS=0
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("actors_on_pes", actor_claims(), 3);

}  // namespace shoal::test
