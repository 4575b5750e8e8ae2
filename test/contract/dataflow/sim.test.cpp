// Goal: graphs of actors run as a serial interpreter says, whatever a legal machine does. Method: every claim in the
// simulator, each seed with another number of PEs, workers, buffers and other hostile conditions; over routes, and in teams.
// labels: sim
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared =
    check_in_sim("graphs_in_sim", graph_claims(), 60) &&
    check_in_sim("changing_graphs_in_sim", changing_graph_claims(), 60) &&
    check_on_routes_in_sim("changing_graphs_on_routes_in_sim", changing_graph_claims(), 15, 9) &&
    check_on_routes_in_sim("graphs_on_routes_in_sim", graph_claims(), 25, 9) &&
    check_in_sim("large_graphs_in_sim", large_graph_claims(), 9) &&
    check_in_teams_in_sim("graphs_in_teams_in_sim", graph_claims(), 15);

}  // namespace shoal::test
