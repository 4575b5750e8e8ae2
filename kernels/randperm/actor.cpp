// The class: a message is a dart, and the handler throws the one that does not stay. `finish` knows when all stay.
#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {
namespace {

struct thrower : selector<thrower, dart> {
  thrower(world& w, problem& of) : selector(w, "randperm"), p(of) {}

  void process(dart d) {
    land(p, d, [&](pe_id pe, dart next) { send(pe, next); });
  }
  // The board is larger than the cache.
  const void* prefetch(dart d) { return &p.places[d.slot]; }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  thrower darts{w, p};
  w.finish([&] { throw_all(p, [&](pe_id pe, dart d) { darts.send(pe, d); }); });
  read_board(w, p);
}

}  // namespace shoal::kernels::randperm
