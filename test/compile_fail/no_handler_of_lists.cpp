// expect: no handler for this message type that may be called: .*with one list, text or value
#include "shoal/shoal.hpp"

struct rows : shoal::selector<rows, long, shoal::list<double>> {
  using selector::selector;
  void process(long) {}
  void process(const shoal::list<float>&) {}
};

void use(shoal::world& w) { rows all{w}; }
