// Goal: a team keeps the actor layer's contract, beside other teams and the whole job. Method: every claim in teams, in the
// simulator, each seed with other teams, another number of PEs, other buffers and other hostile conditions.
// labels: sim
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_in_teams_in_sim("actors_in_teams_in_sim", actor_claims(), 15);

}  // namespace shoal::test
