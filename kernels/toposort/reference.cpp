// The levels, the plain way: takes rows with one entry left, one after the other.
#include <queue>
#include <set>

#include "kernels/toposort/problem.hpp"

namespace shoal::kernels::toposort {

std::vector<std::uint32_t> reference(std::int64_t n_rows, const std::vector<entry>& entries) {
  const auto n = static_cast<std::size_t>(n_rows);
  std::vector<std::set<std::size_t>> columns_of(n);
  std::vector<std::vector<std::size_t>> rows_of(n);
  for (const auto [row, column] : entries) {
    columns_of[static_cast<std::size_t>(row)].insert(static_cast<std::size_t>(column));
    rows_of[static_cast<std::size_t>(column)].push_back(static_cast<std::size_t>(row));
  }
  std::vector<std::uint32_t> levels(n, 0);
  std::queue<std::size_t> ready;
  for (std::size_t r = 0; r < n; ++r) {
    if (columns_of[r].size() == 1) ready.push(r);
  }
  for (; !ready.empty(); ready.pop()) {
    const std::size_t taken = ready.front();
    const std::size_t column = *columns_of[taken].begin();
    for (const std::size_t r : rows_of[column]) {
      if (r == taken) continue;
      columns_of[r].erase(column);
      levels[r] = std::max(levels[r], levels[taken] + 1);
      if (columns_of[r].size() == 1) ready.push(r);
    }
  }
  return levels;
}

}  // namespace shoal::kernels::toposort
