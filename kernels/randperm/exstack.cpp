// The bulk-synchronous form: darts that do not stay are thrown again in a later exchange. A PE never knows that no more
// of them will come to it, so all PEs count together what is left.
#include "shoal/conveyor/kinds/exstack.hpp"

#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {

void run_exstack(world& w, problem& p) {
  exstack<dart> darts{w, exstack_capacity};
  std::vector<std::pair<pe_id, dart>> to_throw;
  throw_all(p, [&](pe_id pe, dart d) { to_throw.emplace_back(pe, d); });
  while (w.sum(std::uint64_t{to_throw.size()}) != 0) {
    while (!to_throw.empty() && darts.push(to_throw.back().second, to_throw.back().first) != 0) to_throw.pop_back();
    darts.exchange();
    while (const dart* d = darts.pull()) land(p, *d, [&](pe_id pe, dart next) { to_throw.emplace_back(pe, next); });
  }
  read_board(w, p);
}

}  // namespace shoal::kernels::randperm
