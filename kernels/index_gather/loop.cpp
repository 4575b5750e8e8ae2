// The baseline: no other PE, no message.
#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {

void run_loop(problem& p) {
  const std::span<const std::int64_t> table = p.part;
  const std::span<const std::int64_t> local = p.local;
  const std::span<std::int64_t> target = p.target;
  for (std::size_t i = 0; i < local.size(); ++i) target[i] = table[local[i]];
}

}  // namespace shoal::kernels::index_gather
