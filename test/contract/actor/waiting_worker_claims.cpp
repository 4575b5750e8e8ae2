// Tasks on several workers of a PE: what they wait for comes, whichever worker they run on. Nothing here is shared by tasks
// without a lock or an order between them, so each claim holds on real threads, too.
#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/task/task.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// Every way to take an answer, on whatever worker.
void tasks_take_answers(world& w, std::uint64_t) {
  constexpr std::uint64_t n_tasks = 12;
  std::atomic<std::uint64_t> sum = 0;
  w.finish([&] {
    for (std::uint64_t i = 0; i < n_tasks; ++i) {
      async([&, i] {
        const auto target = static_cast<pe_id>(i % static_cast<std::uint64_t>(w.n_pes()));
        const auto ask = [&] { return w.ask(target, [i](world&) { return i; }); };
        future<std::uint64_t> first = ask();
        ask();  // nobody wants it
        future<std::uint64_t> doubled = ask().then([](std::uint64_t value) { return 2 * value; });
        const auto [a, b] = when_all(ask(), ask()).get();
        std::vector<future<std::uint64_t>> several;
        for (int k = 0; k < 3; ++k) several.push_back(ask());
        const auto [which, any] = when_any(std::move(several)).get();
        EXPECT_LT(which, 3U);
        task_scope inner;
        async_await([&](std::uint64_t c, std::uint64_t d) { sum += c + d; }, ask(), ask());
        inner.wait();
        sum += first.get() + doubled.get() + a + b + any;
      });
    }
  });
  EXPECT_EQ(sum, 8 * n_tasks * (n_tasks - 1) / 2);
}

std::string answer_text(std::uint64_t number) {
  return std::string(50 + 60 * number, static_cast<char>('a' + number % 26));
}

// Answers of any size, and questions by the hundred.
void tasks_ask_many_questions(world& w, std::uint64_t seed) {
  constexpr std::size_t n = 100;
  std::atomic<std::uint64_t> n_right = 0;
  w.finish([&] {
    for (std::uint64_t task = 0; task < 3; ++task) {
      async([&, task] {
        std::vector<std::uint64_t> queries(n);
        std::iota(queries.begin(), queries.end(), task);
        std::vector<std::uint64_t> answers(n, 0);
        const auto target = [&](std::uint64_t query) {
          return static_cast<pe_id>((query + seed) % static_cast<std::uint64_t>(w.n_pes()));
        };
        w.ask_all(queries, answers, target, [](world&, std::uint64_t query) { return 3 * query; }).get();
        for (std::size_t i = 0; i < n; ++i) n_right += answers[i] == 3 * queries[i];
        const std::string text =
            w.ask(target(task), [](world&, std::uint64_t number) { return answer_text(number); }, task).get();
        n_right += text == answer_text(task);
      });
    }
  });
  EXPECT_EQ(n_right, 3 * (n + 1));
}

// Promises that tasks keep for one another and for the main program; values that own memory; promises that nobody needs.
void tasks_keep_promises_for_others(world& w, std::uint64_t) {
  constexpr std::size_t n = 30;
  std::atomic<std::uint64_t> sum = 0;
  w.finish([&] {
    task_scope scope;
    std::vector<promise<std::unique_ptr<std::uint64_t>>> links(n);
    std::vector<future<std::unique_ptr<std::uint64_t>>> ends;
    for (auto& each : links) ends.push_back(each.get_future());
    for (std::size_t i = 0; i < n; ++i) {
      scope.async([&, i, its = std::move(ends[i])]() mutable {
        promise<int> unneeded;
        future<int> dropped = unneeded.get_future();
        promise<int> early;
        early.set(1);
        EXPECT_EQ(early.get_future().get(), 1);
        sum += *its.get();
      });
      scope.async([&, i, its = std::move(links[i])]() mutable { its.set(std::make_unique<std::uint64_t>(i)); });
    }
    future<std::string> text = async_future([] { return std::string(100, 'x'); });
    EXPECT_EQ(text.get(), std::string(100, 'x'));
    scope.wait();
    EXPECT_EQ(sum, n * (n - 1) / 2);
  });
}

// Nothing but the promises says which comes first: a future is taken, or its promise kept.
void promises_are_kept_while_their_futures_are_taken(world& w, std::uint64_t) {
  constexpr std::uint64_t n = 20;
  std::vector<promise<std::uint64_t>> of_main(n);
  std::vector<promise<std::string>> of_handlers(n);
  per_pe<std::vector<promise<std::string>>*> place(w, &of_handlers);
  std::uint64_t sum = 0;
  std::uint64_t n_right = 0;
  w.finish([&] {
    for (std::uint64_t i = 0; i < n; ++i) {
      async([&, i] {
        of_main[i].set(i);
        of_handlers[i].set(std::string(i, 'x'));
      });
      w.ask(next_pe(w), [its = place.handle(), i] { return (**its)[i].get_future(); }).then([&, i](std::string text) {
        n_right += text == std::string(i, 'x');
      });
    }
    for (promise<std::uint64_t>& each : of_main) each.get_future().then([&](std::uint64_t its) { sum += its; });
  });
  EXPECT_EQ(sum, n * (n - 1) / 2);
  EXPECT_EQ(n_right, n);
}

// A task and its futures, all the way down.
std::uint64_t fib_by_futures(std::uint64_t n) {
  if (n < 2) return n;
  future<std::uint64_t> other = async_future([n] { return fib_by_futures(n - 1); });
  const std::uint64_t mine = fib_by_futures(n - 2);
  return other.get() + mine;
}

void futures_of_tasks_nest(world& w, std::uint64_t) {
  w.finish([&] {
    future<std::uint64_t> whole = async_future([] { return fib_by_futures(9); });
    EXPECT_EQ(whole.get(), 34U);
  });
}

// Scopes that tasks open, on several workers at once.
void scopes_nest_in_tasks(world& w, std::uint64_t) {
  struct adding_tree {
    static std::uint64_t sum(std::uint64_t depth) {
      if (depth == 0) return 1;
      std::array<std::uint64_t, 3> parts{};
      task_scope scope;
      for (std::uint64_t& each : parts) scope.async([&each, depth] { each = sum(depth - 1); });
      scope.wait();
      return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
    }
  };
  std::uint64_t result = 0;
  task_scope whole;
  whole.async([&] { result = adding_tree::sum(5); });
  whole.wait();
  EXPECT_EQ(result, 243U);
  static_cast<void>(w);
}

// Two mailboxes after one another in the same place, of different worlds, while the PE has a task that keeps both in mind. Tasks of their
// handlers send closures of the world in which these run.
void tasks_count_for_the_mailbox_that_is_there(world& w, std::uint64_t) {
  per_pe<std::uint64_t> n(w, 0);
  world team = w.split(0, -w.my_pe());
  promise<int> goes_on;
  std::optional<actor<std::function<void(long)>, long>> place;
  w.finish([&] {
    async([its = goes_on.get_future()]() mutable { its.get(); });
    for (world* const of : {&team, &w}) {
      of->finish([&] {
        place.emplace(*of, [&](long) {
          async([&] { of->send((of->my_pe() + 1) % of->n_pes(), [its = n.handle()] { ++*its; }); });
        });
        for (pe_id pe = 0; pe < of->n_pes(); ++pe) place->send(pe, 1L);
        place.reset();
      });
      EXPECT_EQ(w.sum(*n), static_cast<std::uint64_t>((of == &w ? 2 : 1) * w.n_pes() * w.n_pes()));
    }
    goes_on.set(1);
  });
}

// What was disabled before a task was made is disabled for it on every worker; what a task enables is enabled soon.
void tasks_see_guards(world& w, std::uint64_t) {
  std::atomic<int> n_enabled = 0;
  actor guarded{w, [](long) {}};
  guarded.disable();
  w.finish([&] {
    guarded.send(w.my_pe(), 1L);
    {
      task_scope looking;
      for (int i = 0; i < 8; ++i) looking.async([&] { n_enabled += guarded.is_enabled(); });
    }
    task_scope changing;
    changing.async([&] {
      guarded.enable();
      while (!guarded.is_enabled()) yield_task();
    });
  });
  EXPECT_EQ(n_enabled, 0);
  EXPECT_TRUE(guarded.is_enabled());
}

// Two tasks that need each other, and never call Shoal: only two workers can run both.
void tasks_run_at_the_same_time(world& w, std::uint64_t) {
  if (w.chosen_settings().n_workers.value < 2 || is_simulated(w.backend().kind()))
    return;  // one thread alone would wait for ever
  std::atomic<int> n_there = 0;
  w.finish([&] {
    for (int i = 0; i < 2; ++i) {
      async([&] {
        ++n_there;
        while (n_there < 2) ::sched_yield();
      });
    }
  });
  EXPECT_EQ(n_there, 2);
}

}  // namespace

std::vector<claim> waiting_worker_claims() {
  return {{.name = "tasks_take_answers", .check = tasks_take_answers},
          {.name = "tasks_ask_many_questions", .check = tasks_ask_many_questions},
          {.name = "tasks_keep_promises_for_others", .check = tasks_keep_promises_for_others},
          {.name = "promises_are_kept_while_their_futures_are_taken",
           .check = promises_are_kept_while_their_futures_are_taken},
          {.name = "futures_of_tasks_nest", .check = futures_of_tasks_nest},
          of_job({.name = "scopes_nest_in_tasks", .check = scopes_nest_in_tasks}),
          of_job({.name = "tasks_count_for_the_mailbox_that_is_there",
                  .check = tasks_count_for_the_mailbox_that_is_there,
                  .n_streams = 4}),
          {.name = "tasks_see_guards", .check = tasks_see_guards, .n_streams = 2},
          {.name = "tasks_run_at_the_same_time", .check = tasks_run_at_the_same_time}};
}

}  // namespace shoal::test
