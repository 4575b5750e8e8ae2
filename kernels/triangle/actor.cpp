// The class: a message asks whether a row has a vertex, and the row's owner counts.
#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {
namespace {

struct counter : selector<counter, probe> {
  counter(world& w, problem& of) : selector(w, "triangle"), p(of) {}

  void process(probe asked) { p.n_triangles += n_found(p, asked); }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  counter triangles{w, p};
  w.finish([&] { for_each_probe(p, [&](pe_id owner, probe question) { triangles.send(owner, question); }); });
}

}  // namespace shoal::kernels::triangle
