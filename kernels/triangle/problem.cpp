#include "kernels/triangle/problem.hpp"

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::triangle {

namespace {

// Per vertex: the offsets of the graph as read, of both directions, and of the halves. Per edge: its column as
// read, twice in the undirected graph, and in both halves.
constexpr double bytes_per_vertex = 4 * 8;
constexpr double bytes_per_edge = 8 + 16 + 16;

}  // namespace

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (parse_graph_option(given.graph, name, value)) continue;
    if (name != "algorithm") throw setup_error("triangle has no option --" + name);
    given.algorithm = static_cast<int>(whole_number("--algorithm", value, 0, 1));
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  const sparse_matrix graph = symmetrise(w, read_graph(w, given.graph, {"triangle", bytes_per_vertex, bytes_per_edge}));
  problem p{.given = given, .lower = strict_lower(graph)};
  if (given.algorithm == 1) p.upper = strict_upper(graph);
  return p;
}

std::uint64_t n_probes(const problem& p) {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i + 1 < p.lower.offsets.size(); ++i) {
    for (std::size_t k = 0; k < p.lower.row(i).size(); ++k) n += p.candidates(i, k).size();
  }
  return n;
}

}  // namespace shoal::kernels::triangle
