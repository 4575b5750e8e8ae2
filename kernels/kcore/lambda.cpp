// The same without a class: a closure takes a neighbour away from a vertex of the PE that it goes to.
#include "kernels/kcore/problem.hpp"

namespace shoal::kernels::kcore {
namespace {

struct peeler {
  struct tell {
    peeler& of;
    void operator()(std::uint32_t vertex) const {
      tell_neighbours(of.p, vertex, [&](pe_id owner, std::uint32_t neighbour) {
        of.vertices.send(owner, [neighbour](peeler& there) {
          if (lose(there.p, neighbour)) there.going.defer(neighbour);
        });
      });
    }
    const void* prefetch(std::uint32_t vertex) const { return neighbours_of(of.p, vertex); }
  };

  peeler(world& w, problem& of) : p(of), vertices(w, *this), going(w, tell{*this}) {}

  problem& p;
  lambda_actor<peeler> vertices;
  work_list<tell, std::uint32_t> going;
};

}  // namespace

void run_lambda(world& w, problem& p) {
  peeler all{w, p};
  peel(w, p, [&](const std::vector<std::uint32_t>& first) {
    w.finish([&] {
      for (const std::uint32_t v : first) all.going.defer(v);
    });
  });
}

}  // namespace shoal::kernels::kcore
