// expect: a task is no coroutine and returns no future; it may wait for futures itself, by get
#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"

void use(shoal::world& w) {
  w.finish([&] {
    shoal::forasync({0, 10}, [&](std::int64_t) -> shoal::future<void> { co_await w.ask(0, [] { return 1; }); });
  });
}
