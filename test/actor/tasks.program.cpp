// Misuses tasks, as its first argument says, for tasks.test.py.
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"

namespace {

[[gnu::noinline]] void use_stack() {
  volatile char deep[1 << 20];
  for (std::size_t i = sizeof deep; i > 0; i -= 1024) deep[i - 1] = 1;
}

void in_a_task(shoal::world& w, std::string_view what) {
  if (what == "throw") throw std::runtime_error("no such block");
  if (what == "throw_number") throw 7;
  if (what == "barrier_inside") w.barrier();
  if (what == "progress_inside") w.progress();
  if (what == "finish_inside") w.finish([] {});
  if (what == "construct_inside") shoal::actor late{w, [](long) {}};
  if (what == "conveyor_inside") shoal::conveyor<long> late{w};
  if (what == "overflow") use_stack();
}

void misuse(shoal::world& w, std::string_view what) {
  if (what == "outside") shoal::async([] {});
  if (what == "yield_outside") shoal::yield_task();
  if (what == "first_of_none") shoal::when_any(std::vector<shoal::future<int>>{});
  if (what == "scope_in_handler") {
    shoal::actor bad{w, [&](long) { shoal::task_scope late; }};
    w.finish([&] { bad.send(0, 1L); });
  }
  if (what == "get_in_handler") {
    w.finish([&] { w.send(0, [] { shoal::async_future([] { return 1; }).get(); }); });
  }
  if (what == "scope_of_another") {
    shoal::task_scope mine;
    shoal::async([&] { mine.async([] {}); });
    mine.wait();
  }
  if (what == "wrong_order") {
    auto outer = std::make_unique<shoal::task_scope>();
    shoal::task_scope inner;
    outer->async([] {});
  }
  w.finish([&] {
    if (w.my_pe() != 0) return;
    if (what == "never") {  // a task waits for what nobody gives
      auto* const given = new shoal::promise<int>;
      shoal::async([answer = given->get_future()]() mutable { answer.get(); });
      shoal::async([] {
        shoal::task_scope scope;
        scope.async([] {
          auto* const also = new shoal::promise<int>;
          also->get_future().get();
        });
      });
      return;
    }
    shoal::async([&] { in_a_task(w, what); });
  });
  if (what == "catch") {
    // Tasks of a superstep that was broken off do not begin, and what they hold is destroyed.
    const auto alive = std::make_shared<int>(0);
    bool has_run = false;
    try {
      w.finish([&] {
        shoal::async([&has_run, alive] { has_run = true; });
        throw std::runtime_error("stop");
      });
    } catch (const std::runtime_error&) {
    }
    if (has_run || alive.use_count() != 1) throw std::logic_error("a task is left");
    throw std::runtime_error("the program ends itself");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& w) {
    misuse(w, argc > 1 ? argv[1] : "");
    return 0;
  });
}
