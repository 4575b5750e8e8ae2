// The class: a message visits a vertex.
#include "kernels/bfs/problem.hpp"

namespace shoal::kernels::bfs {
namespace {

struct visitor : selector<visitor, visit> {
  visitor(world& w, problem& of) : selector(w, "bfs"), p(of) {}

  void process(visit v) { arrive(p, v); }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  visitor visits{w, p};
  search(w, p, [&] { w.finish([&] { for_each_visit(p, [&](pe_id owner, visit v) { visits.send(owner, v); }); }); });
}

}  // namespace shoal::kernels::bfs
