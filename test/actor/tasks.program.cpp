// Misuses tasks, as its first argument says, for tasks.test.py.
#include <unistd.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "shoal/actor/work_list.hpp"
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

// Two tasks, one on each of two workers, send to a mailbox that keeps all messages.
void keep_full(shoal::world& w) {
  shoal::actor full{w, [](long) {}, "full"};
  if (w.my_pe() == w.n_pes() - 1) full.disable();
  w.finish([&] {
    for (int i = 0; i < 2 && w.my_pe() == 0; ++i) {
      shoal::async([&] {
        for (;;) full.send(w.n_pes() - 1, 1L);
      });
    }
  });
}

// What a task may do on the PE's own thread only. Here another worker has to begin it, since the main program does not wait.
void do_elsewhere(shoal::world& w, std::string_view what) {
  shoal::actor some{w, [](long) {}, "some"};
  shoal::work_list todo{w, [](long) {}, "todo"};
  const shoal::symmetric<long> array = w.allocate<long>(1);
  w.finish([&] {
    if (w.my_pe() != 0) return;
    shoal::async([&] {
      if (what == "closed_elsewhere") static_cast<void>(some.closed());
      if (what == "counts_elsewhere") static_cast<void>(some.counts());
      if (what == "put_elsewhere") w.put(array, 0, 1L, 0);
      if (what == "defer_elsewhere") todo.defer(1L);
    });
    for (;;) ::usleep(1000);
  });
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
    std::unique_ptr<shoal::task_scope> outer(new shoal::task_scope);
    shoal::task_scope inner;
    outer->async([] {});
  }
  if (what == "finish_in_scope") {
    shoal::task_scope outside;
    for (int i = 0; i < 2000; ++i) outside.async([&] { w.send(0, [] {}); });
    w.finish([] {});
  }
  if (what == "scope_past_finish") {
    std::unique_ptr<shoal::task_scope> scope;
    w.finish([&] {
      shoal::async([] {});
      w.finish([&] { scope.reset(new shoal::task_scope); });
    });
  }
  if (what == "scope_in_the_wrong_order") {
    std::unique_ptr<shoal::task_scope> outer(new shoal::task_scope);
    shoal::task_scope inner;
    outer.reset();
  }
  if (what == "wait_in_handler") {
    shoal::task_scope scope;
    shoal::actor bad{w, [&](long) { scope.wait(); }};
    w.finish([&] {
      shoal::task_scope inner;
      bad.send(0, 1L);
      shoal::actor worse{w, [&](long) { inner.async([] {}); }};
      worse.send(w.my_pe(), 1L);
      worse.close();
    });
  }
  if (what == "wait_in_child") {
    shoal::task_scope scope;
    scope.async([] {
      shoal::task_scope its;
      its.async([&] { its.wait(); });
    });
  }
  if (what == "leave_scope") {
    w.finish([&] {
      shoal::promise<int> never;
      shoal::task_scope scope;
      shoal::async([answer = never.get_future()]() mutable { answer.get(); });
      w.progress();
      throw std::runtime_error("stop");
    });
  }
  if (what == "leave_scope_in_task") {
    shoal::task_scope scope;
    scope.async([] {
      try {
        shoal::task_scope its;
        its.async([] {});
        throw std::runtime_error("stop");
      } catch (const std::runtime_error&) {
      }
    });
  }
  if (what == "destroy_actor_inside") {
    w.finish([&] {
      auto its = std::make_unique<shoal::actor<void (*)(long), long>>(w, +[](long) {});
      its->send(0, 1L);
      shoal::async([its = std::move(its)] {});
    });
  }
  if (what == "room") keep_full(w);
  if (what.ends_with("_elsewhere")) do_elsewhere(w, what);
  w.finish([&] {
    if (w.my_pe() != 0) return;
    if (what == "poll") {  // tasks look for what nobody does
      for (int i = 0; i < 2; ++i) {
        shoal::async([] {
          for (;;) shoal::yield_task();
        });
      }
      return;
    }
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
