// expect: an answer outlasts the message in which it comes
#include <string_view>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  w.finish([&] { w.ask(0, [] { return std::string_view("text"); }); });
}
