// expect: the prefetch of a closure is const, takes the context or nothing, and returns an address
#include "shoal/shoal.hpp"

struct count_one {
  long slot;
  void operator()(long& there) const { there += slot; }
  const void* prefetch(const long& there) { return &there; }
};

void use(shoal::world& w) {
  long count = 0;
  shoal::lambda_actor counts{w, count};
  w.finish([&] { counts.send(0, count_one{1}); });
}
