// The class: a message takes a neighbour away. What a vertex that goes has to tell is left for later, because it is more
// than the one message that made it go.
#include "kernels/kcore/problem.hpp"

namespace shoal::kernels::kcore {
namespace {

struct peeler : selector<peeler, std::uint32_t> {
  struct tell {
    peeler& of;
    void operator()(std::uint32_t vertex) const {
      tell_neighbours(of.p, vertex, [&](pe_id owner, std::uint32_t neighbour) { of.send(owner, neighbour); });
    }
    const void* prefetch(std::uint32_t vertex) const { return neighbours_of(of.p, vertex); }
  };

  peeler(world& w, problem& of) : selector(w, "kcore"), p(of), going(w, tell{*this}) {}

  void process(std::uint32_t vertex) {
    if (lose(p, vertex)) going.defer(vertex);
  }

  problem& p;
  work_list<tell, std::uint32_t> going;
};

}  // namespace

void run_actor(world& w, problem& p) {
  peeler vertices{w, p};
  peel(w, p, [&](const std::vector<std::uint32_t>& first) {
    w.finish([&] {
      for (const std::uint32_t v : first) vertices.going.defer(v);
    });
  });
}

}  // namespace shoal::kernels::kcore
