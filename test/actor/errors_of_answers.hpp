/// Mistakes with questions, answers, futures and promises, for errors.program.cpp.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "shoal/shoal.hpp"

namespace shoal::test {

inline bool misuse_of_promises(world& w, std::string_view what) {
  std::optional<promise<long>> made(std::in_place);
  future<long> answer = made->get_future();
  if (what == "get_future_twice") {
    made->get_future();
  } else if (what == "set_twice") {
    made->set(1);
    made->set(2);
  } else if (what == "drop_promise_that_something_waits_for") {
    answer.then([](long) {});
    made.reset();
  } else if (what == "then_of_dropped_promise") {
    made.reset();
    answer.then([](long) {});
  } else if (what == "get_of_dropped_promise") {
    made.reset();
    answer.get();
  } else if (what == "drop_promise_during_get") {
    actor drops{w, [&](long) { made.reset(); }};
    w.finish([&] {
      drops.send(w.my_pe(), 1L);
      answer.get();
    });
  } else if (what == "finish_in_what_waited") {
    answer.then([&](long) { w.finish([] {}); });
    made->set(1);
  } else if (what == "get_in_what_waited") {
    promise<long> other;
    answer.then([never = other.get_future()](long) mutable { never.get(); });
    made->set(1);
  } else if (what == "drop_promise_in_handler") {
    actor keeps{w, [&](long) -> future<long> {
                  made.reset();
                  made.emplace();
                  return made->get_future();
                }};
    w.finish([&] {
      if (w.my_pe() == 1) keeps.ask(0, 1L);
      if (w.my_pe() == 1) keeps.ask(0, 2L);
    });
  } else {
    return false;
  }
  return true;
}

inline future<long> throw_later(world& here) {
  const long value = co_await here.ask(2, [] { return 7L; });
  throw std::runtime_error("no such slot " + std::to_string(value));
}

/// Makes the mistake `what`. False: it is none of these.
inline bool misuse_of_answers(world& w, std::string_view what) {
  const auto seven = [] { return 7L; };
  if (what == "ask_outside_finish") {
    w.ask(0, seven);
  } else if (what == "ask_actor_outside_finish") {
    actor square{w, [](long x) -> future<long> { return x * x; }, "square"};
    square.ask(0, 2L);
  } else if (what == "ask_out_of_range") {
    w.finish([&] { w.ask(w.n_pes(), seven); });
  } else if (what == "get_in_handler") {
    actor asks{w, [&](long) { w.ask(1, seven).get(); }, "asks"};
    w.finish([&] {
      if (w.my_pe() == 1) asks.send(0, 1L);
    });
  } else if (what == "get_in_deferred_work") {
    w.finish([&] { w.defer([&] { w.ask(1, seven).get(); }); });
  } else if (what == "get_twice") {
    w.finish([&] {
      future<long> answer = w.ask(1, seven);
      if (answer.get() == 7) answer.get();
    });
  } else if (what == "then_after_get") {
    w.finish([&] {
      future<long> answer = w.ask(1, seven);
      if (answer.get() == 7) answer.then([](long) {});
    });
  } else if (what == "wait_twice") {
    w.finish([&] {
      [](future<long> answer) -> future<void> {
        co_await answer;
        co_await answer;
      }(w.ask(1, seven));
    });
  } else if (what == "ask_all_without_room") {
    const std::array<long, 3> queries{1, 2, 3};
    std::array<long, 2> into{};
    w.finish([&] { w.ask_all(queries, into, [](long) { return 0; }, [](long q) { return q; }); });
  } else if (what == "throw_in_question") {
    w.finish([&] {
      if (w.my_pe() == 1) w.ask(0, []() -> long { throw std::runtime_error("no such slot"); });
    });
  } else if (what == "throw_after_waiting") {
    w.finish([&] {
      if (w.my_pe() == 1) w.ask<&throw_later>(0);
    });
  } else if (what == "throw_after_waiting_in_actor") {
    actor slots{w, [&](long) { return throw_later(w); }, "slots"};
    w.finish([&] {
      if (w.my_pe() == 1) slots.send(0, 1L);
    });
  } else if (what == "throw_in_then") {
    w.finish([&] {
      if (w.my_pe() == 1) w.ask(0, seven).then([](long) { throw std::runtime_error("no such slot"); });
    });
  } else {
    return misuse_of_promises(w, what);
  }
  return true;
}

}  // namespace shoal::test
