// Atomics, gets and puts: each read is a remote get of its own.
#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {

void run_agp(world& w, problem& p) {
  const std::span<std::int64_t> target = p.target;
  for (std::size_t i = 0; const auto [index, pe] : p.requests) {
    target[i++] = w.get(p.table, index, pe);
  }
}

}  // namespace shoal::kernels::index_gather
