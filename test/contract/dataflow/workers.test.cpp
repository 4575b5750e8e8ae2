// Goal: actors of a graph act one at a time each, on several workers of a PE. Method: PEs and workers are threads, more of
// them than there are cores, so that the thread sanitizer sees all that they share.
// labels: threads
// processors: 2
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_workers("graphs_on_workers", graph_claims()) &&
                                           check_on_workers("changing_graphs_on_workers", changing_graph_claims());

}  // namespace shoal::test
