// expect: a parallel handler returns no future and is no coroutine
#include "shoal/shoal.hpp"
#include "shoal/task/parallel_handler.hpp"

void use(shoal::world& w) {
  shoal::actor bad{w, shoal::parallel_handler{[](long its) -> shoal::future<long> { return its; }}};
}
