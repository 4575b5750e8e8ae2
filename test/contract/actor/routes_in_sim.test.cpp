// Goal: routes of two and three hops keep the actor layer's contract, on nodes of equal and unequal size. Method:
// every claim in the simulator, each seed with another route, node size, codec and number of PEs, other buffers
// and other hostile conditions.
// labels: sim
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_routes_in_sim("actors_on_routes_in_sim", actor_claims(), 25, 9);

}  // namespace shoal::test
