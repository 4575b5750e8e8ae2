// The conveyor's contract over routes of three hops, on PEs that are processes, on nodes of 3 PEs; the last one may
// have fewer.
// pes: 1 2 3 4 7 12
// env: SHOAL_NODE_SIZE=3 SHOAL_HOPS=3
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("conveyor_on_pes", conveyor_claims(), 5);

}  // namespace shoal::test
