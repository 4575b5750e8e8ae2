// expect: elements of a list travel as bytes: make their type trivially copyable
#include <string>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  shoal::actor names{w, [](shoal::list<std::string> all) { static_cast<void>(all.size()); }};
}
