// expect: this type holds an address .*shoal::origin
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  shoal::actor follow{w, [](const std::pair<long*, long>& m) { *m.first += m.second; }};
}
