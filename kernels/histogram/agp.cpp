// Atomics, gets and puts: each update is its own remote atomic addition, one after the other or many at once.
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {

void run_agp(world& w, problem& p) {
  for (const auto [slot, pe] : p.updates) w.fetch_add(p.table, slot, std::int64_t{1}, pe);
  w.quiet();
}

void run_agp_nb(world& w, problem& p) {
  for (const auto [slot, pe] : p.updates) w.start_add(p.table, slot, std::int64_t{1}, pe);
  w.quiet();
}

}  // namespace shoal::kernels::histogram
