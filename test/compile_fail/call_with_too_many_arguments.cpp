// expect: this one takes another number of parameters
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  w.finish([&] { w.send(0, [](int) {}, 1, 2); });
}
