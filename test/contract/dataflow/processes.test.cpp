// Graphs of actors on PEs that are processes, with default sizes.
// pes: 1 2 3 4 7
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_pes("graphs_on_pes", graph_claims(), 20) &&
                                           check_on_pes("changing_graphs_on_pes", changing_graph_claims(), 10);

}  // namespace shoal::test
