// expect: a task is no coroutine and returns no future; it may wait for futures itself, by get
#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"

void use(shoal::world& w) {
  w.finish([&] {
    shoal::async_await([&](int) -> shoal::future<void> { co_await w.ask(0, [] { return 1; }); },
                       w.ask(0, [] { return 2; }));
  });
}
