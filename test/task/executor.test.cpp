// Goal: tasks run once each, on every number of workers, and waits for them end; whoever waits holds no worker.
// Method: programs of tasks with known results, on 1, 2 and 4 workers, more than there are cores.
// labels: threads
#include "shoal/task/internal/executor.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <source_location>
#include <thread>
#include <vector>

namespace shoal::internal {
namespace {

constexpr std::source_location here = std::source_location::current();

class executor_on : public testing::TestWithParam<std::size_t> {
protected:
  // Runs `f` as a task, and waits as a main program does.
  template <class F>
  void run(F&& f) {
    task_group root;
    all.first().spawn(std::forward<F>(f), root, here);
    while (!root.is_empty()) {
      if (all.run_some(16) == worker::turn::nothing) std::this_thread::yield();
    }
  }

  machine_threads threads{[] {}};
  executor all{{.n_workers = GetParam(), .stack_bytes = 64 << 10, .threads = &threads}};
};

worker& mine() { return *this_worker(); }

long fib(long n) {
  if (n < 2) return n;
  long before = 0;
  task_group others;
  mine().spawn([&before, n] { before = fib(n - 1); }, others, here);
  const long before_that = fib(n - 2);
  mine().wait_for(others, here);
  return before + before_that;
}

TEST_P(executor_on, fib) {
  long result = 0;
  run([&] { result = fib(20); });
  EXPECT_EQ(result, 6765);
}

// The number of ways to place `n` queens of which the first rows stand already.
long n_placements(int n, std::vector<int> placed) {
  if (static_cast<int>(placed.size()) == n) return 1;
  std::vector<long> found(static_cast<std::size_t>(n));
  task_group others;
  for (int column = 0; column < n; ++column) {
    bool is_free = true;
    for (std::size_t row = 0; row < placed.size(); ++row) {
      const int away = static_cast<int>(placed.size() - row);
      is_free = is_free && placed[row] != column && placed[row] != column - away && placed[row] != column + away;
    }
    if (!is_free) continue;
    std::vector<int> next = placed;
    next.push_back(column);
    mine().spawn(
        [&its = found[static_cast<std::size_t>(column)], n, next = std::move(next)] { its = n_placements(n, next); },
        others, here);
  }
  mine().wait_for(others, here);
  long sum = 0;
  for (const long each : found) sum += each;
  return sum;
}

TEST_P(executor_on, queens) {
  long result = 0;
  run([&] { result = n_placements(8, {}); });
  EXPECT_EQ(result, 92);
}

// Tasks of the group that make tasks of the group, without a scope between.
TEST_P(executor_on, tasks_count_for_the_group_of_their_maker) {
  std::atomic<int> n_ended{0};
  struct tree {
    static void grow(std::atomic<int>& n, int depth) {
      for (int i = 0; depth > 0 && i < 3; ++i) {
        mine().spawn([&n, depth] { grow(n, depth - 1); }, *mine().group_now(), here);
      }
      n.fetch_add(1);
    }
  };
  run([&] { tree::grow(n_ended, 7); });
  EXPECT_EQ(n_ended, 3280);
}

// A task in the middle of which another task has to run, though it was made later and is no part of it.
TEST_P(executor_on, a_task_that_waits_holds_no_worker) {
  constexpr int n = 100;
  std::array<task_group, n> after;
  std::atomic<int> n_ended{0};
  run([&] {
    task_group& whole = *mine().group_now();
    for (task_group& each : after) each.add(mine().all().is_shared());  // ends by hand
    for (int i = 0; i < n; ++i) {
      mine().spawn(
          [&, i] {
            mine().wait_for(after[static_cast<std::size_t>(i)], here);
            n_ended.fetch_add(1);
            if (i > 0) after[static_cast<std::size_t>(i - 1)].end_one(mine().all().is_shared());
          },
          whole, here);
    }
    mine().spawn([&] { after[n - 1].end_one(mine().all().is_shared()); }, whole, here);
  });
  EXPECT_EQ(n_ended, n);
}

// Locals, and what C++ keeps of exceptions, stay with their task while others run on the same thread.
TEST_P(executor_on, exceptions_stay_with_their_task) {
  std::atomic<int> n_right{0};
  run([&] {
    for (int i = 0; i < 50; ++i) {
      mine().spawn(
          [&, i] {
            const std::thread::id begun_on = std::this_thread::get_id();
            try {
              throw i;
            } catch (int caught) {
              task_group inner;
              inner.add(mine().all().is_shared());
              mine().spawn([&] { inner.end_one(mine().all().is_shared()); }, *mine().group_now(), here);
              mine().wait_for(inner, here);
              try {
                throw;
              } catch (int again) {
                n_right += caught == i && again == i && begun_on == std::this_thread::get_id();
              }
            }
          },
          *mine().group_now(), here);
    }
  });
  EXPECT_EQ(n_right, 50);
}

// Each task lets the others of its worker run before it goes on.
TEST_P(executor_on, tasks_yield) {
  constexpr int n = 20;
  std::atomic<int> n_turns{0};
  std::atomic<int> n_alone{0};
  run([&] {
    for (int i = 0; i < n; ++i) {
      mine().spawn(
          [&] {
            for (int turn = 0; turn < 10; ++turn) {
              const int before = n_turns.fetch_add(1);
              mine().yield(here);
              n_alone += n_turns == before + 1;
            }
          },
          *mine().group_now(), here);
    }
  });
  EXPECT_EQ(n_turns, 10 * n);
  EXPECT_LE(n_alone, 10 * static_cast<int>(GetParam()));  // only where no other task is left on the worker
}

TEST_P(executor_on, functions_are_destroyed_once) {
  const auto alive = std::make_shared<int>(0);
  std::array<char, 3000> large{};
  run([&] {
    for (int i = 0; i < 300; ++i) {
      mine().spawn([alive] {}, *mine().group_now(), here);
      mine().spawn([alive, large] { static_cast<void>(large); }, *mine().group_now(), here);
    }
  });
  EXPECT_EQ(alive.use_count(), 1);
}

TEST_P(executor_on, functions_that_never_run_are_destroyed) {
  const auto alive = std::make_shared<int>(0);
  task_group never;
  {
    executor ends_at_once{{.n_workers = 1}};
    for (int i = 0; i < 300; ++i) ends_at_once.first().spawn([alive] {}, never, here);
  }
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_TRUE(never.is_empty());
}

// The main program makes all tasks, and other workers run them: their memory returns.
TEST_P(executor_on, many_rounds_from_outside) {
  std::atomic<std::uint64_t> sum{0};
  std::uint64_t expected = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    task_group tasks;
    for (std::uint64_t i = 0; i < 300; ++i) {
      expected += i * round;
      all.first().spawn([&sum, i, round] { sum.fetch_add(i * round, std::memory_order_relaxed); }, tasks, here);
    }
    while (!tasks.is_empty()) {
      if (all.run_some(16) == worker::turn::nothing) std::this_thread::yield();
    }
  }
  EXPECT_EQ(sum, expected);
}

// Other workers fall asleep in between, and are woken.
TEST_P(executor_on, work_after_a_pause) {
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<bool> is_done{false};
    task_group tasks;
    all.first().spawn([&] { is_done = true; }, tasks, here);
    if (GetParam() == 1) all.run_some(1);
    while (!is_done) std::this_thread::yield();  // with several workers, the PE's own thread need not help
    while (!tasks.is_empty()) std::this_thread::yield();
  }
}

INSTANTIATE_TEST_SUITE_P(workers, executor_on, testing::Values(1, 2, 4));

}  // namespace
}  // namespace shoal::internal
