// What messages of tasks cost on the workers that SHOAL_WORKERS gives the PE: some work and a send each, to the PE itself. Run it with
// 1 and with 2 workers, in turn.
#include <cstdint>
#include <cstdio>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/task/task.hpp"

namespace {

using namespace shoal;

// Each step waits for the one before.
std::uint64_t work(std::uint64_t value, int n_steps) noexcept {
  for (int i = 0; i < n_steps; ++i) value = value * 6364136223846793005U + 1442695040888963407U;
  return value;
}

// So many take 30 ns on this machine now.
int steps_of_30_ns(world& w) {
  constexpr int n_many = 10'000'000;
  double least_ns = 1e9;
  std::uint64_t value = 1;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t begin_ns = w.now_ns();
    value = work(value, n_many);
    least_ns = std::min(least_ns, static_cast<double>(w.now_ns() - begin_ns));
  }
  return value == 0 ? 1 : std::max(1, static_cast<int>(30.0 * n_many / least_ns));
}

void measure(world& w, bench::benchmark& all) {
  const std::int64_t n = all.is_smoke() ? 10'000 : 4'000'000;
  const int n_steps = steps_of_30_ns(w);
  std::uint64_t sum = 0;
  std::uint64_t n_come = 0;
  actor add{w, [&](std::uint64_t value) {
              sum += value;
              ++n_come;
            }};
  const auto run = [&](const char* name, int n_steps_of_each, bool by_tasks) {
    std::uint64_t expected = 0;
    for (std::int64_t i = 0; i < n; ++i) expected += work(static_cast<std::uint64_t>(i), n_steps_of_each);
    const auto send = [&](std::int64_t i) {
      add.send(w.my_pe(), work(static_cast<std::uint64_t>(i), n_steps_of_each));
    };
    all.measure(
        {name, static_cast<double>(n), "ns", "steps=" + std::to_string(n_steps_of_each)},
        [&] {
          sum = n_come = 0;
          w.finish([&] {
            if (by_tasks) return forasync({0, n, 1024}, send);
            for (std::int64_t i = 0; i < n; ++i) send(i);
          });
        },
        [&] { return sum == expected && n_come == static_cast<std::uint64_t>(n); });
  };
  run("main_program", 0, false);
  run("tasks", 0, true);
  run("main_program_with_work", n_steps, false);
  run("tasks_with_work", n_steps, true);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run(argc, argv, [&](world& w) {
      bench::benchmark all(w, "workers", given);
      measure(w, all);
      return all.status();
    });
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_workers: %s\n", e.what());
    return 2;
  }
}
