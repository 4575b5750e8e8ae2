// expect: a message travels as bytes: make it trivially copyable
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  shoal::actor follow{w, [](const std::pair<long*, long>& m) { *m.first += m.second; }};
}
