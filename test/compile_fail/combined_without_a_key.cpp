// expect: the key of a message is found by key
#include "shoal/actor/combining_actor.hpp"
#include "shoal/shoal.hpp"

struct addition {
  int slot;
  int n;
};

struct counter : shoal::selector<counter, shoal::combined<addition>> {
  using selector::selector;
  void process(const addition&) {}
  void combine(addition& into, const addition& a) const { into.n += a.n; }
};

void use(shoal::world& w) { counter all(w); }
