// The actor layer's contract in teams, on PEs that are processes, with default sizes.
// pes: 1 2 3 4 7
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_in_teams_on_pes("actors_in_teams", actor_claims(), 2);

}  // namespace shoal::test
