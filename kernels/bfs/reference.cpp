// The levels, the plain way: a queue.
#include <queue>

#include "kernels/bfs/problem.hpp"

namespace shoal::kernels::bfs {

std::vector<std::int64_t> reference(std::int64_t n_vertices, std::int64_t root, const std::vector<entry>& edges) {
  std::vector<std::vector<std::int64_t>> from(static_cast<std::size_t>(n_vertices));
  for (const auto [row, column] : edges) from[static_cast<std::size_t>(row)].push_back(column);
  std::vector<std::int64_t> levels(static_cast<std::size_t>(n_vertices), nothing);
  std::queue<std::int64_t> waiting;
  levels[static_cast<std::size_t>(root)] = 0;
  waiting.push(root);
  for (; !waiting.empty(); waiting.pop()) {
    const auto u = static_cast<std::size_t>(waiting.front());
    for (const std::int64_t v : from[u]) {
      std::int64_t& level = levels[static_cast<std::size_t>(v)];
      if (level != nothing) continue;
      level = levels[u] + 1;
      waiting.push(v);
    }
  }
  return levels;
}

}  // namespace shoal::kernels::bfs
