// expect: this selector has no mailbox of this message type or tag
#include "shoal/shoal.hpp"

struct query {
  long index;
};
struct reply {
  long value;
};
struct other {
  long value;
};

struct gather : shoal::selector<gather, query, reply> {
  using selector::selector;
  void process(query, shoal::pe_id) {}
  void process(reply) {}
};

void use(gather& g) { g.send(0, other{1}); }
