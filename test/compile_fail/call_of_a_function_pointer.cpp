// expect: a function's address means nothing on another PE: name it, as in send<&function>\(pe, arguments…\)
#include "shoal/shoal.hpp"

void add(int) {}

void use(shoal::world& w) {
  w.finish([&] { w.send(0, &add, 1); });
}
