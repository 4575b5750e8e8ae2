// expect: shoal::parallel names a message type, not a question, combined messages or a tag
#include "shoal/shoal.hpp"
#include "shoal/task/parallel_handler.hpp"

struct table : shoal::selector<table, shoal::parallel<shoal::question<long, long>>> {
  using selector::selector;
  long process(long its) { return its; }
};

void use(shoal::world& w) { table bad{w}; }
