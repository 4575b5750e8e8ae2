// The same without a class: a dart is a closure that lands on the part of the PE that it is thrown to.
#include "kernels/randperm/problem.hpp"

namespace shoal::kernels::randperm {
namespace {

struct place {
  problem& p;
  lambda_actor<place> darts;

  void send(pe_id pe, dart d) {
    darts.send(pe, [d](place& there) { land(there.p, d, [&](pe_id next, dart again) { there.send(next, again); }); });
  }
};

}  // namespace

void run_lambda(world& w, problem& p) {
  place here{p, {w, here, "randperm"}};
  w.finish([&] { throw_all(p, [&](pe_id pe, dart d) { here.send(pe, d); }); });
  read_board(w, p);
}

}  // namespace shoal::kernels::randperm
