// The actor layer's contract on PEs that are processes, with buffers of a few messages, a slot for each mailbox and no
// slots for links to share.
// pes: 1 2 3 4 7
// env: SHOAL_SLOT_BYTES=64 SHOAL_SLOTS=12 SHOAL_SHARED_SLOTS=0
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("actors_on_pes", actor_claims(), 3);

}  // namespace shoal::test
