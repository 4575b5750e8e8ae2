// The layer below actors: the program itself pushes, pulls and advances.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/bfs/problem.hpp"

namespace shoal::kernels::bfs {

void run_conveyor(world& w, problem& p) {
  conveyor<visit> visits{w};
  const auto take = [&] {
    while (const visit* v = visits.pull()) arrive(p, *v);
  };
  search(w, p, [&] {
    visits.begin();
    for_each_visit(p, [&](pe_id owner, visit v) {
      while (!visits.push(v, owner)) {
        visits.advance(false);
        take();
      }
    });
    while (visits.advance(true) != progress::complete) take();
    visits.reset();
  });
}

}  // namespace shoal::kernels::bfs
