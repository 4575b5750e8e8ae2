// The answer, the slow way: for each edge, the neighbours that both ends have below them.
#include <iterator>
#include <vector>

#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {

std::uint64_t reference(std::int64_t n_vertices, std::span<const entry> edges) {
  std::vector<std::vector<std::int64_t>> below(static_cast<std::size_t>(n_vertices));
  const auto below_of = [&](std::int64_t v) -> auto& { return below[static_cast<std::size_t>(v)]; };
  for (const auto [i, j] : edges) below_of(std::max(i, j)).push_back(std::min(i, j));
  for (auto& row : below) std::ranges::sort(row);

  std::uint64_t n_triangles = 0;
  std::vector<std::int64_t> common;
  for (const auto [i, j] : edges) {
    common.clear();
    std::ranges::set_intersection(below_of(i), below_of(j), std::back_inserter(common));
    n_triangles += common.size();
  }
  return n_triangles;
}

}  // namespace shoal::kernels::triangle
