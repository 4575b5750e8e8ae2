// The same without a class: the probe is a closure that runs on the rows of the PE that it asks.
#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {

void run_lambda(world& w, problem& p) {
  lambda_actor triangles{w, p};
  w.finish([&] {
    for_each_probe(p, [&](pe_id owner, probe question) {
      triangles.send(owner, [question](problem& there) { there.n_triangles += n_found(there, question); });
    });
  });
}

}  // namespace shoal::kernels::triangle
