// expect: the key of a message has == and a std::hash
#include "shoal/actor/combining_actor.hpp"
#include "shoal/shoal.hpp"

struct addition {
  int slot;
  int n;
};

void use(shoal::world& w) {
  shoal::combining_actor add{w, [](const addition&) {}, [](const addition& a) { return a; },
                             [](addition& into, const addition& a) { into.n += a.n; }};
}
