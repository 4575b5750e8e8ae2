// The answer, the slow way: all vertices and edges on one PE, one sum after the other.
#include <cmath>

#include "kernels/pagerank/problem.hpp"

namespace shoal::kernels::pagerank {

ranking reference(std::int64_t n_vertices, std::span<const entry> edges, const parameters& given) {
  const auto size = static_cast<std::size_t>(n_vertices);
  const auto n = static_cast<double>(n_vertices);
  const auto at = [](auto& values, std::int64_t v) -> auto& { return values[static_cast<std::size_t>(v)]; };
  std::vector<double> out_degree(size, 0.0);
  for (const auto [from, to] : edges) ++at(out_degree, from);

  std::vector<double> ranks(size, 1 / n);
  outcome reached;
  while (!reached.has_converged && reached.n_iterations < given.n_iterations_max) {
    double dangling = 0;
    for (std::size_t v = 0; v < size; ++v) dangling += out_degree[v] == 0 ? ranks[v] : 0;
    std::vector<double> next(size, (1 - given.damping + given.damping * dangling) / n);
    for (const auto [from, to] : edges) {
      at(next, to) += given.damping * at(ranks, from) / at(out_degree, from);
    }
    reached.change = 0;
    for (std::size_t v = 0; v < size; ++v) reached.change += std::abs(next[v] - ranks[v]);
    ranks = next;
    ++reached.n_iterations;
    reached.has_converged = reached.change < n * given.tolerance;
  }
  return {ranks, reached};
}

}  // namespace shoal::kernels::pagerank
