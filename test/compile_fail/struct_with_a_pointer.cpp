// expect: this type holds an address .*shoal::origin
#include "shoal/shoal.hpp"

struct place {
  long index;
  long* address;
};
struct step {
  int depth;
  place to[2];
};

struct walk : shoal::selector<walk, long, step> {
  using selector::selector;
  void process(long) {}
  void process(const step&) {}
};

void use(shoal::world& w) { walk all{w}; }
