// The answer, the slow way: for each vertex i, marks its neighbours below it; then for each such neighbour j counts
// those below j that are marked.
#include <algorithm>
#include <vector>

#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {

std::uint64_t reference(std::int64_t n_vertices, std::span<const entry> edges) {
  const auto n = static_cast<std::size_t>(n_vertices);
  std::vector<std::vector<std::size_t>> below(n);
  for (const auto [i, j] : edges) below[std::max(i, j)].push_back(std::min(i, j));

  std::uint64_t n_triangles = 0;
  std::vector<char> is_marked(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::size_t j : below[i]) is_marked[j] = 1;
    for (const std::size_t j : below[i]) {
      for (const std::size_t k : below[j]) n_triangles += is_marked[k];
    }
    for (const std::size_t j : below[i]) is_marked[j] = 0;
  }
  return n_triangles;
}

}  // namespace shoal::kernels::triangle
