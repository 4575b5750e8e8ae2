// expect: arguments that have defaults are given, too
#include <string>
#include <vector>

#include "shoal/shoal.hpp"

void with_default(std::string, int = 4) {}

void use(shoal::world& w) {
  w.finish([&] { w.send<&with_default>(0, "text"); });
}
