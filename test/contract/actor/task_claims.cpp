// Tasks: what they may do, in which order with messages and the main program, and who waits for them.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/base/random.hpp"
#include "shoal/task/task.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

std::uint64_t n_pes(world& w) { return static_cast<std::uint64_t>(w.n_pes()); }

// --- Who waits

// A tree of tasks, without scopes: finish waits for all of it.
void grow(std::atomic<std::uint64_t>& n, int depth) {
  ++n;
  for (int i = 0; depth > 0 && i < 3; ++i) async([&n, depth] { grow(n, depth - 1); });
}

void finish_waits_for_tasks_of_tasks(world& w, std::uint64_t) {
  std::atomic<std::uint64_t> n = 0;
  w.finish([&] { async([&] { grow(n, 4); }); });
  EXPECT_EQ(n, 121U);
  w.finish([&] {});
  EXPECT_EQ(n, 121U);
}

long fib(long n) {
  if (n < 2) return n;
  long before = 0;
  task_scope scope;
  scope.async([&] { before = fib(n - 1); });
  const long before_that = fib(n - 2);
  scope.wait();
  return before + before_that;
}

// Outside finish, too: scopes are local, and PEs may open different numbers of them.
void a_scope_waits_for_its_tasks(world& w, std::uint64_t seed) {
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    long result = 0;
    {
      task_scope scope;
      scope.async([&] { result = fib(9); });
    }
    EXPECT_EQ(result, 34);
  }
}

void inner_scopes_leave_outer_tasks_alone(world& w, std::uint64_t) {
  w.finish([&] {
    bool is_outer_done = false;
    promise<void> to_come;
    task_scope outer;
    async([&is_outer_done, answer = to_come.get_future()]() mutable {
      answer.get();
      is_outer_done = true;
    });
    std::atomic<int> n_inner = 0;
    {
      task_scope inner;
      for (int i = 0; i < 5; ++i) async([&] { ++n_inner; });
    }
    EXPECT_EQ(n_inner, 5);
    EXPECT_FALSE(is_outer_done) << "nobody has kept the promise yet";
    to_come.set();
    outer.wait();
    EXPECT_TRUE(is_outer_done);
  });
}

// What a handler makes belongs to the handler's superstep, though the main program waits in a scope meanwhile.
void tasks_of_handlers_belong_to_their_superstep(world& w, std::uint64_t) {
  std::atomic<std::uint64_t> n_tasks = 0;
  std::uint64_t n_replies = 0;
  per_pe<std::uint64_t*> place(w, &n_replies);
  w.finish([&] {
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
      w.send(pe, [its = place.handle(), from = w.my_pe()](world&) {
        async([its, from] { world::current().send(from, [its] { ++**its; }); });
      });
    }
    task_scope scope;
    for (int i = 0; i < 3; ++i) scope.async([&] { ++n_tasks; });
    scope.wait();
    EXPECT_EQ(n_tasks, 3U);
  });
  EXPECT_EQ(n_replies, n_pes(w));
}

void an_inner_finish_leaves_outer_tasks_alone(world& w, std::uint64_t) {
  bool has_ended = false;
  w.finish([&] {
    promise<void> to_come;
    async([&has_ended, answer = to_come.get_future()]() mutable {
      answer.get();
      has_ended = true;
    });
    std::uint64_t n_inner = 0;
    w.finish([&] { async([&] { ++n_inner; }); });
    EXPECT_EQ(n_inner, 1U);
    EXPECT_FALSE(has_ended);
    to_come.set();
  });
  EXPECT_TRUE(has_ended);
}

// A finish inside a scope has tasks of its own, which it waits for.
void a_finish_inside_a_scope_waits_for_its_own(world& w, std::uint64_t) {
  w.finish([&] {
    promise<void> to_come;
    bool is_outer_done = false;
    task_scope scope;
    async([&is_outer_done, answer = to_come.get_future()]() mutable {
      answer.get();
      is_outer_done = true;
    });
    std::uint64_t n_inner = 0;
    w.finish([&] { async([&] { async([&] { ++n_inner; }); }); });
    EXPECT_EQ(n_inner, 1U);
    EXPECT_FALSE(is_outer_done);
    to_come.set();
    scope.wait();
    EXPECT_TRUE(is_outer_done);
  });
}

// Tasks that call one another in waits of scopes let handlers run all the same.
void handlers_run_between_tasks(world& w, std::uint64_t) {
  std::atomic<int> n_come = 0;
  per_pe<std::atomic<int>*> place(w, &n_come);
  struct tree_of_tasks {
    static void grow(int depth) {
      task_scope scope;
      for (int i = 0; depth > 0 && i < 4; ++i) scope.async([depth] { grow(depth - 1); });
    }
  };
  w.finish([&] {
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) w.send(pe, [its = place.handle()] { ++**its; });
    async([&] {
      // Each tree is larger than a turn. If no handler ran meanwhile, this would go on for ever.
      while (n_come < static_cast<int>(w.n_pes())) tree_of_tasks::grow(4);
    });
  });
  EXPECT_EQ(n_come, static_cast<int>(w.n_pes()));
}

// --- What tasks may do

// Sends more than fits, so it waits for room; handlers run meanwhile.
void tasks_send(world& w, std::uint64_t seed) {
  constexpr std::uint64_t n_tasks = 4;
  constexpr std::size_t n_messages = 200;
  std::uint64_t sum = 0;
  actor add{w, [&](std::uint64_t value) { sum += value; }};
  w.finish([&] {
    for (std::uint64_t part = 0; part < n_tasks; ++part) {
      async([&, part] {
        for (const pe_id target : targets_of(seed + part, w.my_pe(), w.n_pes(), n_messages)) add.send(target, part + 1);
      });
    }
  });
  std::uint64_t expected = 0;
  for (std::uint64_t part = 0; part < n_tasks; ++part) {
    for (pe_id from = 0; from < w.n_pes(); ++from) {
      for (const pe_id target : targets_of(seed + part, from, w.n_pes(), n_messages)) {
        if (target == w.my_pe()) expected += part + 1;
      }
    }
  }
  EXPECT_EQ(sum, expected);
}

// Each waits for another PE's answer, and for all of them PEs have to serve each other.
void tasks_wait_for_answers(world& w, std::uint64_t seed) {
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  std::atomic<std::uint64_t> sum = 0;
  std::uint64_t expected = 0;
  w.finish([&] {
    for (std::uint64_t i = 0; i < 40; ++i) {
      const auto target = static_cast<pe_id>(random.below(n_pes(w)));
      expected += i + static_cast<std::uint64_t>(target);
      async([&sum, &w, target, i] {
        const int on_stack = static_cast<int>(i);
        const std::uint64_t answer =
            w.ask(target, [i](world& there) { return i + static_cast<std::uint64_t>(there.my_pe()); }).get();
        EXPECT_EQ(on_stack, static_cast<int>(i));
        sum += answer;
      });
    }
  });
  EXPECT_EQ(sum, expected);
}

// A chain along promises that tasks keep for one another, made in the order in which none can go on but the last.
void tasks_wait_for_promises(world& w, std::uint64_t) {
  constexpr std::size_t n = 20;
  std::vector<std::size_t> order;
  w.finish([&] {
    task_scope scope;
    std::vector<promise<std::size_t>> links(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      async([&order, &next = links[i + 1], answer = links[i].get_future()]() mutable {
        const std::size_t its = answer.get();
        order.push_back(its);
        next.set(its + 1);
      });
    }
    future<std::size_t> last = links[n].get_future();
    links[0].set(0);
    EXPECT_EQ(last.get(), n);
    scope.wait();
  });
  std::vector<std::size_t> expected(n);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  EXPECT_EQ(order, expected);
}

void tasks_give_values(world& w, std::uint64_t seed) {
  w.finish([&] {
    future<std::uint64_t> whole = async_future([seed] { return seed + 1; });
    future<std::unique_ptr<int>> owned = async_future([] { return std::make_unique<int>(7); });
    future<void> nothing = async_future([] {});
    EXPECT_EQ(whole.get(), seed + 1);
    EXPECT_EQ(*owned.get(), 7);
    nothing.get();
    async_future([] { return 1; });  // nobody wants it
  });
}

// --- What begins when answers are there

void tasks_await_answers(world& w, std::uint64_t seed) {
  const pe_id next = static_cast<pe_id>((static_cast<std::uint64_t>(w.my_pe()) + 1 + seed % n_pes(w)) % n_pes(w));
  std::atomic<int> n_run = 0;
  w.finish([&] {
    async_await(
        [&](pe_id there, int seven) {
          EXPECT_EQ(there, next);
          EXPECT_EQ(seven, 7);
          ++n_run;
        },
        w.ask(next, [](world& there) { return there.my_pe(); }), async_future([] {}), async_future([] { return 7; }));
    std::vector<future<int>> many;
    for (int i = 0; i < 10; ++i) many.push_back(async_future([i] { return i; }));
    async_await(
        [&](std::vector<int> values) {
          EXPECT_EQ(values.size(), 10U);
          EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0), 45);
          ++n_run;
        },
        std::move(many));
    std::vector<future<void>> none;
    async_await([&] { ++n_run; }, std::move(none));
  });
  EXPECT_EQ(n_run, 3);
}

void when_all_and_when_any(world& w, std::uint64_t) {
  w.finish([&] {
    const auto [a, b] =
        when_all(async_future([] { return 1; }), async_future([] {}), async_future([] { return 2.5; })).get();
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, 2.5);
    promise<int> slow;
    std::vector<future<int>> each;
    each.push_back(slow.get_future());
    each.push_back(async_future([] { return 9; }));
    const auto [which, value] = when_any(std::move(each)).get();
    EXPECT_EQ(which, 1U);
    EXPECT_EQ(value, 9);
  });
}

// Nobody waits for the losers: their promises may be kept later, never, or be gone.
void when_any_forgets_the_others(world& w, std::uint64_t seed) {
  auto gone = std::make_unique<promise<int>>();
  promise<int> late;
  promise<void> never;
  w.finish([&] {
    std::vector<future<int>> each;
    each.push_back(gone->get_future());
    each.push_back(late.get_future());
    each.push_back(w.ask(next_pe(w), [](world& there) { return static_cast<int>(there.my_pe()); }));
    std::vector<future<void>> nothing;
    nothing.push_back(never.get_future());
    nothing.push_back(async_future([] {}));
    async_await([&](std::size_t which) { EXPECT_EQ(which, 1U); }, when_any(std::move(nothing)));
    const auto [which, value] = when_any(std::move(each)).get();
    EXPECT_EQ(which, 2U);
    EXPECT_EQ(value, static_cast<int>(next_pe(w)));
    if (seed % 2 == 0) late.set(1);
  });
  gone.reset();
}

// A matrix of blocks, each of which needs those above and to the left of it.
void a_wavefront(world& w, std::uint64_t seed) {
  const std::size_t n = 3 + seed % 4;
  std::vector<std::uint64_t> value(n * n, 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint64_t& { return value[i * n + j]; };
  w.finish([&] {
    // Of each block, one answer for the block to the right and one for the block below.
    std::vector<promise<void>> to_right(n * n);
    std::vector<promise<void>> to_below(n * n);
    task_scope scope;
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = n; j-- > 0;) {
        std::vector<future<void>> needed;
        if (i > 0) needed.push_back(to_below[(i - 1) * n + j].get_future());
        if (j > 0) needed.push_back(to_right[i * n + j - 1].get_future());
        async_await(
            [&, i, j] {
              at(i, j) = i == 0 || j == 0 ? 1 : at(i - 1, j) + at(i, j - 1);
              to_right[i * n + j].set();
              to_below[i * n + j].set();
            },
            std::move(needed));
      }
    }
    scope.wait();
  });
  std::vector<std::uint64_t> row(n, 1);
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t j = 1; j < n; ++j) row[j] += row[j - 1];
  }
  EXPECT_EQ(at(n - 1, n - 1), row[n - 1]);
}

// --- Loops

void forasync_takes_each_index_once(world& w, std::uint64_t seed) {
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  const auto range = [&](std::int64_t most) {
    const auto begin = static_cast<std::int64_t>(random.below(20)) - 10;
    return task_range{begin, begin + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most))),
                      static_cast<std::int64_t>(random.below(5))};
  };
  for (const forasync_mode mode : {forasync_mode::recursive, forasync_mode::flat}) {
    const task_range i = range(60);
    const task_range j = range(12);
    const task_range k = range(6);
    std::vector<int> one(static_cast<std::size_t>(i.size()), 0);
    std::vector<int> two(static_cast<std::size_t>(i.size() * j.size()), 0);
    std::vector<int> three(static_cast<std::size_t>(i.size() * j.size() * k.size()), 0);
    const auto offset = [](std::int64_t at, const task_range& in) { return static_cast<std::size_t>(at - in.begin); };
    const auto size = [](const task_range& of) { return static_cast<std::size_t>(of.size()); };
    w.finish([&] {
      forasync(i, [&](std::int64_t a) { ++one[offset(a, i)]; }, mode);
      forasync(i, j, [&](std::int64_t a, std::int64_t b) { ++two[offset(a, i) * size(j) + offset(b, j)]; }, mode);
      forasync(
          i, j, k,
          [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            ++three[(offset(a, i) * size(j) + offset(b, j)) * size(k) + offset(c, k)];
          },
          mode);
    });
    EXPECT_EQ(one, std::vector<int>(one.size(), 1));
    EXPECT_EQ(two, std::vector<int>(two.size(), 1));
    EXPECT_EQ(three, std::vector<int>(three.size(), 1));
  }
}

void tiles_may_be_larger_than_the_range(world& w, std::uint64_t) {
  for (const forasync_mode mode : {forasync_mode::recursive, forasync_mode::flat}) {
    std::atomic<std::int64_t> sum = 0;
    {
      task_scope scope;
      forasync({1, 101, INT64_MAX}, [&](std::int64_t i) { sum += i; }, mode);
      forasync({INT64_MAX - 3, INT64_MAX, 2}, {0, 0}, [&](std::int64_t, std::int64_t) { sum = -1; }, mode);
      forasync({INT64_MAX - 3, INT64_MAX, 2}, [&](std::int64_t) { sum += 1000; }, mode);
    }
    EXPECT_EQ(sum, 8050);
  }
  static_cast<void>(w);
}

// In a scope, where no wave sends what lies in buffers.
void tasks_that_yield_let_messages_leave(world& w, std::uint64_t) {
  w.finish([&] {
    promise<void> kept;
    std::atomic<bool> is_there = false;
    task_scope scope;
    scope.async([&] {
      kept.set();
      while (!is_there) yield_task();
    });
    scope.async([&, answer = kept.get_future()]() mutable {
      answer.get();
      is_there = true;
    });
    scope.wait();
    EXPECT_TRUE(is_there);
  });
}

// A task that yields lets the other go on, and messages arrive.
void a_task_that_yields_waits_for_messages(world& w, std::uint64_t) {
  std::atomic<int> n_come = 0;
  per_pe<std::atomic<int>*> place(w, &n_come);
  w.finish([&] {
    async([&] {
      while (n_come < static_cast<int>(w.n_pes())) yield_task();
    });
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) w.send(pe, [its = place.handle()] { ++**its; });
  });
  EXPECT_EQ(n_come, static_cast<int>(w.n_pes()));
}

}  // namespace

std::vector<claim> task_claims() {
  return {{.name = "finish_waits_for_tasks_of_tasks", .check = finish_waits_for_tasks_of_tasks},
          of_job({.name = "a_scope_waits_for_its_tasks", .check = a_scope_waits_for_its_tasks}),
          {.name = "inner_scopes_leave_outer_tasks_alone", .check = inner_scopes_leave_outer_tasks_alone},
          {.name = "tasks_of_handlers_belong_to_their_superstep", .check = tasks_of_handlers_belong_to_their_superstep},
          {.name = "an_inner_finish_leaves_outer_tasks_alone",
           .check = an_inner_finish_leaves_outer_tasks_alone,
           .n_streams = 2},
          {.name = "tasks_send", .check = tasks_send, .n_streams = 2},
          {.name = "tasks_wait_for_answers", .check = tasks_wait_for_answers},
          {.name = "tasks_wait_for_promises", .check = tasks_wait_for_promises},
          {.name = "tasks_give_values", .check = tasks_give_values},
          {.name = "tasks_await_answers", .check = tasks_await_answers},
          {.name = "when_all_and_when_any", .check = when_all_and_when_any},
          {.name = "a_wavefront", .check = a_wavefront},
          {.name = "forasync_takes_each_index_once", .check = forasync_takes_each_index_once},
          {.name = "a_finish_inside_a_scope_waits_for_its_own",
           .check = a_finish_inside_a_scope_waits_for_its_own,
           .n_streams = 2},
          {.name = "handlers_run_between_tasks", .check = handlers_run_between_tasks},
          {.name = "when_any_forgets_the_others", .check = when_any_forgets_the_others},
          of_job({.name = "tiles_may_be_larger_than_the_range", .check = tiles_may_be_larger_than_the_range}),
          {.name = "tasks_that_yield_let_messages_leave", .check = tasks_that_yield_let_messages_leave},
          {.name = "a_task_that_yields_waits_for_messages", .check = a_task_that_yields_waits_for_messages}};
}

}  // namespace shoal::test
