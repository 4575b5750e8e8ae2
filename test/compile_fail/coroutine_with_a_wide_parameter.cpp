// expect: compilers align what a coroutine keeps to 16 bytes at most
#include "shoal/shoal.hpp"

struct alignas(64) line {
  long words[8];
};

shoal::future<long> first(shoal::world& here, line l) {
  co_await here.ask(0, [] {});
  co_return l.words[0];
}

void use(shoal::world& w) { w.ask<&first>(0, line{}); }
