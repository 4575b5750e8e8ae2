// The asynchronous form, in rounds like conveyor.cpp.
#include "shoal/conveyor/kinds/exstack2.hpp"

#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {

void run_exstack2(world& w, problem& p) {
  exstack2<dart> darts{w, exstack_capacity};
  std::vector<std::pair<pe_id, dart>> to_throw;
  std::vector<std::pair<pe_id, dart>> again;
  throw_all(p, [&](pe_id pe, dart d) { to_throw.emplace_back(pe, d); });
  while (w.sum(std::uint64_t{to_throw.size()}) != 0) {
    std::size_t i = 0;
    while (darts.proceed(i == to_throw.size())) {
      while (i < to_throw.size() && darts.push(to_throw[i].second, to_throw[i].first) != 0) ++i;
      while (const dart* d = darts.pull()) land(p, *d, [&](pe_id pe, dart next) { again.emplace_back(pe, next); });
    }
    darts.reset();
    to_throw.swap(again);
    again.clear();
  }
  read_board(w, p);
}

}  // namespace shoal::kernels::randperm
