// expect: compilers align what a coroutine keeps to 16 bytes at most
#include "shoal/shoal.hpp"

struct alignas(64) line {
  long words[8];
};

shoal::future<long> first(shoal::world& here) {
  const line its = co_await here.ask(0, [] { return line{}; });
  co_return its.words[0];
}

void use(shoal::world& w) { w.ask<&first>(0); }
