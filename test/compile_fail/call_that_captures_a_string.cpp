// expect: what a function captures travels as bytes
#include <string>
#include <vector>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  w.finish([&] { w.send(0, [s = std::string("a")](std::string t) { t = s; }, "text"); });
}
