// expect: this type holds an address .*the handle of a per_pe
#include "shoal/shoal.hpp"

struct count_one {
  long& count;
  void operator()() const { ++count; }
};

void use(shoal::world& w) {
  long count = 0;
  w.finish([&] { w.send(0, count_one{count}); });
}
