// expect: a coroutine takes its parameters by value: a view
#include <span>
#include <vector>

#include "shoal/shoal.hpp"

shoal::future<long> first(std::span<const long> all) {
  co_await shoal::world::current().ask(0, [] {});
  co_return all[0];
}

void use(shoal::world& w) { w.ask<&first>(0, std::vector{1L, 2L}); }
