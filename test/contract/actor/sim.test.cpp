// Goal: the actor layer's contract holds whatever a legal machine does. Method: every claim in the simulator,
// each seed with another number of PEs, other buffers and other hostile conditions.
// labels: sim
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_in_sim("actors_in_sim", actor_claims(), 40);

}  // namespace shoal::test
