// expect: a coroutine takes its parameters by value: a view
#include <string_view>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  w.ask(
      0,
      [](shoal::world& there, std::string_view text) -> shoal::future<long> {
        co_await there.ask(0, [] {});
        co_return static_cast<long>(text.size());
      },
      "text");
}
