// The layer below actors. A conveyor is complete when nobody pushes any more, so darts that do not stay wait for the next
// round, until there are none on any PE.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {

void run_conveyor(world& w, problem& p) {
  conveyor<dart> darts{w};
  std::vector<std::pair<pe_id, dart>> to_throw;
  std::vector<std::pair<pe_id, dart>> again;
  throw_all(p, [&](pe_id pe, dart d) { to_throw.emplace_back(pe, d); });
  while (w.sum(std::uint64_t{to_throw.size()}) != 0) {
    darts.begin();
    std::size_t i = 0;
    while (darts.advance(i == to_throw.size()) != progress::complete) {
      while (i < to_throw.size() && darts.push(to_throw[i].second, to_throw[i].first)) ++i;
      while (const dart* d = darts.pull()) land(p, *d, [&](pe_id pe, dart next) { again.emplace_back(pe, next); });
    }
    darts.reset();
    to_throw.swap(again);
    again.clear();
  }
  read_board(w, p);
}

}  // namespace shoal::kernels::randperm
