// expect: this type holds an address
#include "shoal/shoal.hpp"

struct head {
  long index;
};
struct place {
  long index;
  const char* name;
};

void use(shoal::world& w) {
  shoal::actor follow{w, [](const shoal::list<head, place>& places) { static_cast<void>(places.size()); }};
}
