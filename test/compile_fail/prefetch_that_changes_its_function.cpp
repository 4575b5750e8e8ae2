// expect: the prefetch of a work_list's function is const, takes the item and returns an address
#include "shoal/actor/work_list.hpp"
#include "shoal/shoal.hpp"

struct tell {
  long& n_told;
  void operator()(long) const { ++n_told; }
  const void* prefetch(long) { return &n_told; }
};

void use(shoal::world& w) {
  long n_told = 0;
  shoal::work_list todo{w, tell{n_told}};
  w.finish([&] { todo.defer(1); });
}
