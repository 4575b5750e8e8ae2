// expect: this type holds an address
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  shoal::actor follow{w, [](shoal::list<long*> addresses) { ++*addresses[0]; }};
}
