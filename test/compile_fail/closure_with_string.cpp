// expect: a closure travels as bytes: capture only trivially copyable values
#include <string>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  w.finish([&] { w.send(0, [text = std::string("hello")] { static_cast<void>(text.size()); }); });
}
