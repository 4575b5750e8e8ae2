// expect: an argument of this call does not travel
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  static int there = 0;
  w.finish([&] { w.send(0, [](int* at) { ++*at; }, &there); });
}
