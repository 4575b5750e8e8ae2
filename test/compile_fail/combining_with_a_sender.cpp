// expect: a message that several PEs may have sent has no sender: let the handler take the message alone
#include "shoal/actor/combining_actor.hpp"
#include "shoal/shoal.hpp"

struct addition {
  int slot;
  int n;
};

void use(shoal::world& w) {
  shoal::combining_actor add{w, [](const addition&, shoal::pe_id) {}, [](const addition& a) { return a.slot; },
                             [](addition& into, const addition& a) { into.n += a.n; }};
}
