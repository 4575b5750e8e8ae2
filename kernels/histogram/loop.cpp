// The baseline: no other PE, no message.
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {

void run_loop(problem& p) {
  const std::span counts = p.counts;
  const std::span<const std::int64_t> local = p.local;
  for (std::size_t i = 0; i < local.size(); ++i) ++counts[local[i]];
}

}  // namespace shoal::kernels::histogram
