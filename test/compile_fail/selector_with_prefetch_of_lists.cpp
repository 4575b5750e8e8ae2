// expect: a prefetch is for messages of one size
#include "shoal/shoal.hpp"

struct sums : shoal::selector<sums, long, shoal::list<long>> {
  using selector::selector;
  void process(long) {}
  void process(const shoal::list<long>& m) { sum += m[0]; }
  const void* prefetch(const shoal::list<long>&) { return &sum; }
  long sum = 0;
};

void use(shoal::world& w) { sums all{w}; }
