// expect: this mailbox gives no answers: it is not declared as shoal::question
#include "shoal/shoal.hpp"

struct gather : shoal::selector<gather, long, shoal::question<int, long>> {
  using selector::selector;
  void process(long) {}
  long process(int i) { return i; }
};

void use(gather& g) { g.ask(0, 1L); }
