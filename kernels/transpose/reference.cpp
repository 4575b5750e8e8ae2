// The plain way: exchange row and column, and sort.
#include <algorithm>

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {

std::vector<entry> reference(const std::vector<entry>& entries) {
  std::vector<entry> transposed;
  for (const auto [row, column] : entries) transposed.push_back({column, row});
  std::ranges::sort(transposed);
  return transposed;
}

}  // namespace shoal::kernels::transposition
