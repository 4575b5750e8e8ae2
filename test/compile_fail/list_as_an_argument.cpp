// expect: an argument of this call does not travel
#include <string>
#include <vector>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  const std::vector<int> numbers{1, 2};
  w.finish([&] { w.send(0, [](shoal::list<int> l, std::string_view) { static_cast<void>(l); }, numbers, "text"); });
}
