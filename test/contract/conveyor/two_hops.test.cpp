// The conveyor's contract over routes of two hops, on PEs that are processes, on nodes of 2 PEs; the last one may
// have fewer.
// pes: 1 2 3 4 7 12
// env: SHOAL_NODE_SIZE=2 SHOAL_HOPS=2
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("conveyor_on_pes", conveyor_claims(), 5);

}  // namespace shoal::test
