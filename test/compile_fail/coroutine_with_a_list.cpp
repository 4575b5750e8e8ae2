// expect: a coroutine takes its parameters by value: a view
#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  shoal::actor sum{w, [&](shoal::list<long> all) -> shoal::future<long> {
                     co_await w.ask(0, [] {});
                     co_return all[0];
                   }};
}
