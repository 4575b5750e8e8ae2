// expect: no matching function for call
#include "shoal/shoal.hpp"

struct query {
  long index;
};
struct reply {
  long value;
};

struct gather : shoal::selector<gather, query, reply> {
  using selector::selector;
  void process(query, shoal::pe_id) {}
  void process(reply) {}
};

void use(gather& g) { g.send(0, {1}); }
