// expect: the handler of a question returns its answer, or a future of it
#include "shoal/shoal.hpp"

struct squares : shoal::selector<squares, shoal::question<long, long>> {
  using selector::selector;
  void process(long) {}
};

void use(shoal::world& w) { squares all{w}; }
