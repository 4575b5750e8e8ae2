// The same without a class: the update is a closure that runs on the table's part of the PE that it goes to.
#include "kernels/random_access/problem.hpp"

namespace shoal::kernels::random_access {

void run_lambda(world& w, problem& p) {
  lambda_actor updates{w, p};
  updates.limit_unsent(look_ahead);
  w.finish([&] {
    for_each_update(p, w.my_pe(), [&](std::uint64_t number) {
      const pe_id owner = p.place_of(number).pe;
      const auto update = [number](problem& there) { there.part[there.place_of(number).local] ^= number; };
      while (!updates.try_send(owner, update)) w.yield();
    });
  });
}

}  // namespace shoal::kernels::random_access
