// The same without a class for all messages: a dart is a closure that lands on the part of the PE that it is thrown to. It
// has a name, so that it can say where it will land.
#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {
namespace {

struct board;

struct landing {
  dart d;

  void operator()(board& there) const;
  const void* prefetch(const board& there) const;
};

struct board {
  problem& p;
  lambda_actor<board> darts;

  void send(pe_id pe, dart d) { darts.send(pe, landing{d}); }
};

void landing::operator()(board& there) const {
  land(there.p, d, [&](pe_id pe, dart next) { there.send(pe, next); });
}
const void* landing::prefetch(const board& there) const { return &there.p.places[d.slot]; }

}  // namespace

void run_lambda(world& w, problem& p) {
  board here{p, {w, here, "randperm"}};
  w.finish([&] { throw_all(p, [&](pe_id pe, dart d) { here.send(pe, d); }); });
  read_board(w, p);
}

}  // namespace shoal::kernels::randperm
