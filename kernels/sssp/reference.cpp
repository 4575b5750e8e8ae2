// The distances, the plain way: the nearest vertex that is not done is done next.
#include <functional>
#include <queue>
#include <utility>

#include "kernels/sssp/problem.hpp"

namespace shoal::kernels::sssp {

std::vector<double> reference(std::int64_t n_vertices, std::int64_t root, const std::vector<weighted_entry>& edges) {
  const auto n = static_cast<std::size_t>(n_vertices);
  std::vector<std::vector<std::pair<std::size_t, double>>> from(n);
  for (const auto& [row, column, length] : edges) {
    from[static_cast<std::size_t>(row)].emplace_back(static_cast<std::size_t>(column), length);
  }
  std::vector<double> distances(n, far);
  using waiting = std::pair<double, std::size_t>;
  std::priority_queue<waiting, std::vector<waiting>, std::greater<>> open;
  distances[static_cast<std::size_t>(root)] = 0;
  open.emplace(0.0, static_cast<std::size_t>(root));
  while (!open.empty()) {
    const auto [distance, u] = open.top();
    open.pop();
    if (distance > distances[u]) continue;
    for (const auto& [v, length] : from[u]) {
      if (distance + length >= distances[v]) continue;
      distances[v] = distance + length;
      open.emplace(distances[v], v);
    }
  }
  return distances;
}

}  // namespace shoal::kernels::sssp
