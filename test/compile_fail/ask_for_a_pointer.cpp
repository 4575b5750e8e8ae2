// expect: the answer does not travel: .*plain bytes without addresses
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  w.finish([&] { w.ask(0, [](shoal::world& there) { return &there; }); });
}
