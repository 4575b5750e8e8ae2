// expect: messages that are combined have no parallel handler
#include "shoal/actor/combining_actor.hpp"
#include "shoal/shoal.hpp"
#include "shoal/task/parallel_handler.hpp"

struct addition {
  long slot;
  long n;
};

void use(shoal::world& w) {
  shoal::combining_actor bad{w, shoal::parallel_handler{[](const addition&) {}},
                             [](const addition& a) { return a.slot; },
                             [](addition& into, const addition& a) { into.n += a.n; }};
}
