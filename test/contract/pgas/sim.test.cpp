// Goal: distributed arrays, and loops over their elements, keep what they promise whatever a legal machine does.
// Method: every claim in the simulator, each seed with another number of PEs, other buffers and other hostile
// conditions; over routes with nodes of other sizes; and in teams.
// labels: sim
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared =
    check_in_sim("arrays_in_sim", distributed_array_claims(), 40) &&
    check_on_routes_in_sim("arrays_on_routes_in_sim", distributed_array_claims(), 25, 9) &&
    check_in_teams_in_sim("arrays_in_teams_in_sim", distributed_array_claims(), 15) &&
    check_in_sim("loops_in_sim", aggregate_claims(), 40) &&
    check_on_routes_in_sim("loops_on_routes_in_sim", aggregate_claims(), 25, 9);

}  // namespace shoal::test
