// The actor layer's contract on PEs that are processes, with default sizes.
// pes: 1 2 3 4 7
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("actors_on_pes", actor_claims(), 3);

}  // namespace shoal::test
