// expect: a function that is sent takes its arguments by value or as const references
#include <string>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  w.finish([&] { w.send(0, [](std::string& text) { text.clear(); }, "hello"); });
}
