// The class: a message is a random number, and says by itself which word it changes. The mailbox keeps to the look-ahead.
#include "kernels/random_access/problem.hpp"

namespace shoal::kernels::random_access {
namespace {

struct updater : selector<updater, std::uint64_t> {
  updater(world& w, problem& of) : selector(w, "random_access"), p(of) {
    mailbox_of<std::uint64_t>().limit_unsent(look_ahead);
  }

  void process(std::uint64_t number) { p.part[p.place_of(number).local] ^= number; }
  const void* prefetch(std::uint64_t number) { return &p.part[p.place_of(number).local]; }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  updater all{w, p};
  auto& updates = all.mailbox_of<std::uint64_t>();
  w.finish([&] {
    for_each_update(p, w.my_pe(), [&](std::uint64_t number) {
      const pe_id owner = p.place_of(number).pe;
      while (!updates.try_send(owner, number)) w.yield();
    });
  });
}

}  // namespace shoal::kernels::random_access
