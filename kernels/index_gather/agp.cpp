// Atomics, gets and puts: each read is its own remote get, one after the other or many at once.
#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {

void run_agp(world& w, problem& p) {
  const std::span<std::int64_t> target = p.target;
  for (std::size_t i = 0; const auto [index, pe] : p.requests) {
    target[i++] = w.get(p.table, index, pe);
  }
}

void run_agp_nb(world& w, problem& p) {
  const std::span<std::int64_t> target = p.target;
  for (std::size_t i = 0; const auto [index, pe] : p.requests) w.start_get(p.table, index, target[i++], pe);
  w.quiet();
}

}  // namespace shoal::kernels::index_gather
