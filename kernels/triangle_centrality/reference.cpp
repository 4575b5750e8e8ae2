// The plain way: T(v) from the common neighbours of v and each of its neighbours, and then the definition.
#include <algorithm>
#include <vector>

#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

using vertices = std::vector<std::int64_t>;

// Of ascending vertices.
std::uint64_t n_in_both(const vertices& a, const vertices& b) {
  const vertices& fewer = a.size() < b.size() ? a : b;
  const vertices& more = a.size() < b.size() ? b : a;
  return static_cast<std::uint64_t>(
      std::ranges::count_if(fewer, [&](std::int64_t v) { return std::ranges::binary_search(more, v); }));
}

}  // namespace

std::vector<at_vertex> reference(std::int64_t n_vertices, std::span<const entry> edges) {
  const auto n = static_cast<std::size_t>(n_vertices);
  std::vector<vertices> neighbours(n);
  for (const auto [i, j] : edges) {
    neighbours[static_cast<std::size_t>(i)].push_back(j);
    neighbours[static_cast<std::size_t>(j)].push_back(i);
  }
  for (vertices& of_one : neighbours) std::ranges::sort(of_one);

  std::vector<std::vector<std::uint64_t>> n_at_edge(n);  // as `neighbours`
  std::vector<at_vertex> found(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (const std::int64_t u : neighbours[v]) {
      n_at_edge[v].push_back(n_in_both(neighbours[v], neighbours[static_cast<std::size_t>(u)]));
      found[v].n_triangles += n_at_edge[v].back();
    }
    found[v].n_triangles /= 2;  // each triangle has two edges at v
  }
  for (std::size_t v = 0; v < n; ++v) {
    found[v].numerator = found[v].n_triangles;
    for (std::size_t k = 0; k < neighbours[v].size(); ++k) {
      const std::uint64_t its = found[static_cast<std::size_t>(neighbours[v][k])].n_triangles;
      found[v].numerator += n_at_edge[v][k] > 0 ? its : 3 * its;
    }
  }
  return found;
}

}  // namespace shoal::kernels::triangle_centrality
