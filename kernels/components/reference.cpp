// The lowest vertex of each component, the plain way: from each vertex in turn, everything that can be reached.
#include "kernels/components/problem.hpp"

namespace shoal::kernels::components {

std::vector<std::int64_t> reference(std::int64_t n_vertices, const std::vector<entry>& edges) {
  const auto n = static_cast<std::size_t>(n_vertices);
  std::vector<std::vector<std::size_t>> neighbours(n);
  for (const auto [row, column] : edges) {
    neighbours[static_cast<std::size_t>(row)].push_back(static_cast<std::size_t>(column));
    neighbours[static_cast<std::size_t>(column)].push_back(static_cast<std::size_t>(row));
  }
  std::vector<std::int64_t> lowest(n, -1);
  std::vector<std::size_t> waiting;
  for (std::size_t first = 0; first < n; ++first) {
    if (lowest[first] != -1) continue;
    lowest[first] = static_cast<std::int64_t>(first);
    waiting.push_back(first);
    while (!waiting.empty()) {
      const std::size_t v = waiting.back();
      waiting.pop_back();
      for (const std::size_t u : neighbours[v]) {
        if (lowest[u] != -1) continue;
        lowest[u] = static_cast<std::int64_t>(first);
        waiting.push_back(u);
      }
    }
  }
  return lowest;
}

}  // namespace shoal::kernels::components
