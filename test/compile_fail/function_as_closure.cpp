// expect: this type holds an address .*a closure that calls the function
#include "shoal/shoal.hpp"

void work() {}

void use(shoal::world& w) {
  w.finish([&] { w.send(0, &work); });
}
