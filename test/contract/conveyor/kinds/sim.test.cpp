// Goal: the contract of every kind of conveyor holds whatever a legal machine does. Method: every claim in
// the simulator, each seed with another number of PEs, other buffers and other hostile conditions.
// labels: sim
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_in_sim("kinds_in_sim", kind_claims(), 60);

}  // namespace shoal::test
