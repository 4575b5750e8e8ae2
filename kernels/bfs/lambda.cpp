// The same without a class: the visit is a closure that runs on the vertices of the PE that it goes to.
#include "kernels/bfs/problem.hpp"

namespace shoal::kernels::bfs {

void run_lambda(world& w, problem& p) {
  lambda_actor visits{w, p};
  search(w, p, [&] {
    w.finish([&] {
      for_each_visit(p, [&](pe_id owner, visit v) { visits.send(owner, [v](problem& there) { arrive(there, v); }); });
    });
  });
}

}  // namespace shoal::kernels::bfs
