// The asynchronous form of exstack.cpp: a buffer leaves when it is full, and nobody waits for all PEs.
#include "shoal/conveyor/kinds/exstack2.hpp"

#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {

void run_exstack2(world& w, problem& p) {
  exstack2<probe> probes{w, exstack_capacity};
  const auto answer = [&] {
    while (const probe* asked = probes.pull()) p.n_triangles += n_found(p, *asked);
  };
  for_each_probe(p, [&](pe_id owner, probe question) {
    while (probes.push(question, owner) == 0) {
      probes.proceed(false);
      answer();
    }
  });
  while (probes.proceed(true)) answer();
  probes.reset();
}

}  // namespace shoal::kernels::triangle
