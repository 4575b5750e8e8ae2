// The actor layer's contract over routes of three hops, on PEs that are processes, on nodes of 2 PEs; the last one may
// have fewer.
// pes: 4 7
// env: SHOAL_NODE_SIZE=2 SHOAL_HOPS=3
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("actors_on_pes", actor_claims(), 3);

}  // namespace shoal::test
