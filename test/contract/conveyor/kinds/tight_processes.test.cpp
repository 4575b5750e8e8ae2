// The contract of every kind of conveyor on PEs that are processes, with buffers of a few items, a slot for each
// conveyor and no slots for links to share.
// pes: 1 2 3 4 7
// env: SHOAL_SLOT_BYTES=64 SHOAL_SLOTS=4 SHOAL_SHARED_SLOTS=0
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("kinds_on_pes", kind_claims(), 5);

}  // namespace shoal::test
