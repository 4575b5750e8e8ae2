// Misuses a parallel handler, as its first argument says, for parallel.test.py.
#include <unistd.h>

#include <stdexcept>
#include <string_view>
#include <thread>

#include "shoal/actor/work_list.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"
#include "shoal/task/parallel_handler.hpp"
#include "shoal/task/task.hpp"

namespace {

void in_a_handler(shoal::world& w, std::string_view what) {
  if (what == "get") {
    shoal::promise<int> never;
    never.get_future().get();
  }
  if (what == "scope") shoal::task_scope late;
  if (what == "yield") shoal::yield_task();
  if (what == "barrier") w.barrier();
  if (what == "progress") w.progress();
  if (what == "finish") w.finish([] {});
  if (what == "actor") shoal::actor late{w, [](long) {}};
  if (what == "conveyor") shoal::conveyor<long> late{w};
  if (what == "start") w.start_sum(1);
  if (what == "throw") throw std::runtime_error("no such slot");
  if (what == "throw_number") throw 7;
  if (what == "crash") *reinterpret_cast<volatile int*>(std::uintptr_t{16}) = 1;
}

// What a parallel handler may do on the PE's own thread only. That thread sends until another worker has done it.
void do_elsewhere(shoal::world& w, std::string_view what) {
  const std::thread::id own = std::this_thread::get_id();
  shoal::actor some{w, [](long) {}, "some"};
  shoal::work_list todo{w, [](long) {}, "todo"};
  const shoal::symmetric<long> array = w.allocate<long>(1);
  shoal::actor bad{w, shoal::parallel_handler{[&](long) {
                     if (std::this_thread::get_id() == own) return static_cast<void>(::usleep(1000));
                     if (what == "closed_elsewhere") static_cast<void>(some.closed());
                     if (what == "counts_elsewhere") static_cast<void>(some.counts());
                     if (what == "put_elsewhere") w.put(array, 0, 1L, 0);
                     if (what == "defer_elsewhere") todo.defer(1L);
                   }},
                   "bad"};
  w.finish([&] {
    while (w.my_pe() == 0) {
      bad.send(0, 1L);
      bad.limit_latency(0);  // which posts it
      w.progress();
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& w) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what.ends_with("_elsewhere")) do_elsewhere(w, what);
    shoal::actor bad{w, shoal::parallel_handler{[&](long) { in_a_handler(w, what); }}, "bad"};
    w.finish([&] {
      if (w.my_pe() != 0) return;
      bad.send(0, 1L);
      bad.limit_latency(0);  // which posts it
      bad.send(0, 1L);  // which takes it in, since the next buffer is opened
      ::usleep(20'000);  // another worker, if there is one, handles the first one meanwhile
    });
    return 0;
  });
}
