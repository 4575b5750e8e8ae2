// What a task costs: made and joined one after the other, in a tree, in a loop, and with a wait in its middle. With oneTBB where it is
// installed, in the same run.
#include <cstdint>
#include <utility>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/task/task.hpp"
#if SHOAL_HAVE_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_group.h>
#endif

namespace {

using namespace shoal;

long fib(long n) {
  if (n < 2) return n;
  long before = 0;
  task_scope scope;
  scope.async([&before, n] { before = fib(n - 1); });
  const long before_that = fib(n - 2);
  scope.wait();
  return before + before_that;
}

long fib_of_loop(long n) {
  long before = 0;
  long result = 1;
  for (long i = 1; i < n; ++i) before = std::exchange(result, result + before);
  return result;
}

#if SHOAL_HAVE_TBB
long fib_of_tbb(long n) {
  if (n < 2) return n;
  long before = 0;
  tbb::task_group group;
  group.run([&before, n] { before = fib_of_tbb(n - 1); });
  const long before_that = fib_of_tbb(n - 2);
  group.wait();
  return before + before_that;
}
#endif

// Makes `n` empty tasks of a group, waits for them, and does so `n_rounds` times.
void measure(world& w, bench::benchmark& all) {
  const std::uint64_t n = 1'000;
  const std::uint64_t n_rounds = all.is_smoke() ? 1 : 100;
  const auto n_tasks = static_cast<double>(n * n_rounds);
  std::uint64_t count = 0;
  const auto every_task = [&] { return count == n * n_rounds; };

  const double flat = all.measure(
      {"flat", n_tasks},
      [&] {
        count = 0;
        task_scope whole;
        whole.async([&] {
          for (std::uint64_t round = 0; round < n_rounds; ++round) {
            task_scope scope;
            for (std::uint64_t i = 0; i < n; ++i) scope.async([&count] { ++count; });
          }
        });
      },
      every_task);
  all.measure(
      {"from_main", n_tasks},
      [&] {
        count = 0;
        for (std::uint64_t round = 0; round < n_rounds; ++round) {
          task_scope scope;
          for (std::uint64_t i = 0; i < n; ++i) scope.async([&count] { ++count; });
        }
      },
      every_task);

  const long n_fib = all.is_smoke() ? 12 : 22;
  long found = 0;
  const auto is_fib = [&] { return found == fib_of_loop(n_fib); };
  const auto n_tasks_of_fib = static_cast<double>(fib_of_loop(n_fib + 1) - 1);
  const double tree = all.measure(
      {"fib", n_tasks_of_fib},
      [&] {
        task_scope whole;
        whole.async([&] { found = fib(n_fib); });
      },
      is_fib);

  std::uint64_t sum = 0;
  all.measure(
      {"loop", n_tasks},
      [&] {
        sum = 0;
        task_scope whole;
        whole.async([&] {
          forasync({0, static_cast<std::int64_t>(n * n_rounds), 1},
                   [&sum](std::int64_t i) { sum += static_cast<std::uint64_t>(i); });
        });
      },
      [&] { return sum == n * n_rounds * (n * n_rounds - 1) / 2; });
  // Each waits for an answer of its own PE.
  all.measure(
      {"wait", n_tasks},
      [&] {
        count = 0;
        for (std::uint64_t round = 0; round < n_rounds; ++round) {
          w.finish([&] {
            for (std::uint64_t i = 0; i < n; ++i) {
              async([&] { count += w.ask(w.my_pe(), [] { return std::uint64_t{1}; }).get(); });
            }
          });
        }
      },
      every_task);

#if SHOAL_HAVE_TBB
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  const double flat_of_tbb = all.measure(
      {"flat_tbb", n_tasks},
      [&] {
        count = 0;
        for (std::uint64_t round = 0; round < n_rounds; ++round) {
          tbb::task_group group;
          for (std::uint64_t i = 0; i < n; ++i) group.run([&count] { ++count; });
          group.wait();
        }
      },
      every_task);
  const double tree_of_tbb = all.measure({"fib_tbb", n_tasks_of_fib}, [&] { found = fib_of_tbb(n_fib); }, is_fib);
  all.derive("flat_per_tbb", flat / flat_of_tbb);
  all.derive("fib_per_tbb", tree / tree_of_tbb);
#else
  static_cast<void>(flat + tree);
#endif
}

}  // namespace

int main(int argc, char** argv) { return bench::run_one(argc, argv, "tasks", measure); }
