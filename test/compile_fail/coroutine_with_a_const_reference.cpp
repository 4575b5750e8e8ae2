// expect: a coroutine takes its parameters by value: .*const reference
#include <string>

#include "shoal/shoal.hpp"

shoal::future<long> length(shoal::world& here, const std::string& text) {
  co_await here.ask(0, [] {});
  co_return static_cast<long>(text.size());
}

void use(shoal::world& w) { w.ask<&length>(0, "text"); }
