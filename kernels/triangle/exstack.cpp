// The bulk-synchronous form: a PE whose buffer is full waits for all PEs to exchange theirs.
#include "shoal/conveyor/kinds/exstack.hpp"

#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {

void run_exstack(world& w, problem& p) {
  exstack<probe> probes{w, exstack_capacity};
  const auto exchange = [&](bool is_done) {
    if (!probes.proceed(is_done)) return false;
    probes.exchange();
    while (const probe* asked = probes.pull()) p.n_triangles += n_found(p, *asked);
    return true;
  };
  for_each_probe(p, [&](pe_id owner, probe question) {
    while (probes.push(question, owner) == 0) exchange(false);
  });
  exchange(false);  // what is left in the buffers
  while (exchange(true)) {
  }
  probes.reset();
}

}  // namespace shoal::kernels::triangle
