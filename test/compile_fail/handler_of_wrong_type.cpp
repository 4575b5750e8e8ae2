// expect: no handler for this message type
#include "shoal/shoal.hpp"

struct query {
  long index;
};

struct gather : shoal::selector<gather, query> {
  using selector::selector;
  void process(char*) {}
};

void use(shoal::world& w) { gather g{w}; }
