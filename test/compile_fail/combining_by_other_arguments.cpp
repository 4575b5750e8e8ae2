// expect: two messages are merged by combine
#include "shoal/actor/combining_actor.hpp"
#include "shoal/shoal.hpp"

struct addition {
  int slot;
  int n;
};

void use(shoal::world& w) {
  shoal::combining_actor add{w, [](const addition&) {}, [](const addition& a) { return a.slot; },
                             [](const addition&, int) {}};
}
