// Distributed arrays on PEs that are processes, with default sizes.
// pes: 1 2 3 4 7
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared =
    check_on_pes("arrays_on_pes", distributed_array_claims(), 8) && check_on_pes("loops_on_pes", aggregate_claims(), 8);

}  // namespace shoal::test
