// The layer below actors: the program itself pushes, pulls and advances.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {

void run_conveyor(world& w, problem& p) {
  conveyor<probe> probes{w};
  const auto answer = [&] {
    while (const probe* asked = probes.pull()) p.n_triangles += n_found(p, *asked);
  };
  probes.begin();
  for_each_probe(p, [&](pe_id owner, probe question) {
    while (!probes.push(question, owner)) {
      probes.advance(false);
      answer();
    }
  });
  while (probes.advance(true) != progress::complete) answer();
  probes.reset();
}

}  // namespace shoal::kernels::triangle
