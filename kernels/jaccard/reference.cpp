// The plain way: the set of neighbours of each vertex, and the intersection of two.
#include <set>

#include "kernels/jaccard/problem.hpp"

namespace shoal::kernels::jaccard {

std::vector<counted_edge> reference(std::int64_t n_vertices, const std::vector<entry>& both) {
  std::vector<std::set<std::int64_t>> neighbours(static_cast<std::size_t>(n_vertices));
  for (const auto [row, column] : both) neighbours[static_cast<std::size_t>(row)].insert(column);
  std::vector<counted_edge> edges;
  for (const auto [high, low] : both) {
    if (low >= high) continue;
    const std::set<std::int64_t>& of_low = neighbours[static_cast<std::size_t>(low)];
    std::uint32_t n = 0;
    for (const std::int64_t x : neighbours[static_cast<std::size_t>(high)]) n += of_low.contains(x);
    edges.push_back({high, low, n});
  }
  std::ranges::sort(edges);
  return edges;
}

}  // namespace shoal::kernels::jaccard
