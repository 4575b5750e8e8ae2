// The contract of every kind of conveyor on PEs that are processes, with default sizes.
// pes: 1 2 3 4 7
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("kinds_on_pes", kind_claims(), 5);

}  // namespace shoal::test
