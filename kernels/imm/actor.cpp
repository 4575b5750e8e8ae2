// The class: a message puts a vertex into a set. What the vertex has to tell is left for later, because it is more than the
// one message that it came by.
#include "kernels/imm/problem.hpp"
#include "shoal/actor/work_list.hpp"

namespace shoal::kernels::imm {
namespace {

struct sampler : selector<sampler, membership> {
  struct tell {
    sampler& of;
    void operator()(open_edge edge) const {
      tell_source(of.p, edge, [&](pe_id owner, membership source) { of.send(owner, source); });
    }
  };

  sampler(world& w, problem& of) : selector(w, "imm"), p(of), open(w, tell{*this}) {}

  void process(membership m) {
    join(p, m, [&](open_edge edge) { open.defer(edge); });
  }
  const void* prefetch(membership m) const { return touched_by(p, m); }

  problem& p;
  work_list<tell, open_edge> open;
};

}  // namespace

void run_actor(world& w, problem& p) {
  sampler sets{w, p};
  maximise(w, p, [&](std::uint32_t first, std::uint32_t end) {
    w.finish([&] { tell_roots(w, p, first, end, [&](pe_id owner, membership root) { sets.send(owner, root); }); });
  });
}

}  // namespace shoal::kernels::imm
