// The same without a class: an update is a closure that runs on the table's part of the PE that it goes to.
// It has a name, so that it can say which entry it will change.
#include "kernels/random_access/problem.hpp"

namespace shoal::kernels::random_access {
namespace {

struct update {
  std::uint64_t number;

  void operator()(problem& there) const { there.part[there.place_of(number).local] ^= number; }
  const void* prefetch(const problem& there) const { return &there.part[there.place_of(number).local]; }
};

}  // namespace

void run_lambda(world& w, problem& p) {
  lambda_actor updates{w, p};
  updates.limit_unsent(look_ahead);
  w.finish([&] {
    for_each_update(p, w.my_pe(), [&](std::uint64_t number) {
      const pe_id owner = p.place_of(number).pe;
      while (!updates.try_send(owner, update{number})) w.yield();
    });
  });
}

}  // namespace shoal::kernels::random_access
