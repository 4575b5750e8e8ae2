// The same without a class: a closure puts a vertex of the PE that it goes to into a set.
#include "kernels/imm/problem.hpp"
#include "shoal/actor/work_list.hpp"

namespace shoal::kernels::imm {
namespace {

struct sampler {
  struct tell {
    sampler& of;
    void operator()(open_edge edge) const {
      tell_source(of.p, edge, [&](pe_id owner, membership source) { of.sets.send(owner, put{source}); });
    }
  };

  struct put {
    membership m;
    void operator()(sampler& there) const {
      join(there.p, m, [&](open_edge edge) { there.open.defer(edge); });
    }
    const void* prefetch(const sampler& there) const { return touched_by(there.p, m); }
  };

  sampler(world& w, problem& of) : p(of), sets(w, *this), open(w, tell{*this}) {}

  problem& p;
  lambda_actor<sampler> sets;
  work_list<tell, open_edge> open;
};

}  // namespace

void run_lambda(world& w, problem& p) {
  sampler all{w, p};
  maximise(w, p, [&](std::uint32_t first, std::uint32_t end) {
    w.finish([&] {
      tell_roots(w, p, first, end, [&](pe_id owner, membership root) { all.sets.send(owner, sampler::put{root}); });
    });
  });
}

}  // namespace shoal::kernels::imm
