// The plain way: look up both images of each entry, and sort.
#include <algorithm>

#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {

std::vector<entry> reference(const std::vector<entry>& entries, const std::vector<std::int64_t>& rows,
                             const std::vector<std::int64_t>& columns) {
  std::vector<entry> permuted;
  for (const auto [row, column] : entries) {
    permuted.push_back({rows[static_cast<std::size_t>(row)], columns[static_cast<std::size_t>(column)]});
  }
  std::ranges::sort(permuted);
  return permuted;
}

}  // namespace shoal::kernels::permuting
