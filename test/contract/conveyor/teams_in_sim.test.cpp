// Goal: conveyors of a team keep their contract, beside other teams and the whole job. Method: every claim on conveyors of all
// kinds in teams, in the simulator, each seed with other teams, another number of PEs, other buffers and other hostile
// conditions.
// labels: sim
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_in_teams_in_sim("conveyors_in_teams_in_sim", conveyor_claims(), 15) &&
                                           check_in_teams_in_sim("kinds_in_teams_in_sim", kind_claims(), 15);

}  // namespace shoal::test
