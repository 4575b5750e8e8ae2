// expect: a prefetch is for messages of one size
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  static long sum = 0;
  shoal::actor sums{w, [](shoal::list<long> m) { sum += m[0]; }, [](const shoal::list<long>&) { return &sum; }};
}
