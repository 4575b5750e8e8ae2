// The cores, the plain way: for each k, looks at all vertices again and again until none goes.
#include "kernels/kcore/problem.hpp"

namespace shoal::kernels::kcore {

std::vector<std::uint32_t> reference(std::int64_t n_vertices, const std::vector<entry>& both) {
  const auto n = static_cast<std::size_t>(n_vertices);
  std::vector<std::vector<std::size_t>> neighbours(n);
  for (const auto [row, column] : both) {
    neighbours[static_cast<std::size_t>(row)].push_back(static_cast<std::size_t>(column));
  }
  std::vector<std::size_t> n_left(n);
  for (std::size_t v = 0; v < n; ++v) n_left[v] = neighbours[v].size();
  std::vector<std::uint32_t> cores(n, undecided);
  std::size_t n_undecided = n;
  for (std::uint32_t k = 0; n_undecided > 0; ++k) {
    for (bool goes_any = true; goes_any;) {
      goes_any = false;
      for (std::size_t v = 0; v < n; ++v) {
        if (cores[v] != undecided || n_left[v] > k) continue;
        cores[v] = k;
        --n_undecided;
        goes_any = true;
        for (const std::size_t u : neighbours[v]) --n_left[u];
      }
    }
  }
  return cores;
}

}  // namespace shoal::kernels::kcore
