// What messages of tasks cost on the workers that SHOAL_WORKERS gives the PE: some work and a send each, to the PE itself. Run it with
// 1 and with 2 workers, in turn.
#include <cstdint>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/task/task.hpp"

namespace {

using namespace shoal;

constexpr int n_messages_of_task = 1024;

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

// In a cache line of its own: handlers write it while tasks read what lies beside it.
struct alignas(64) received {
  std::uint64_t sum = 0;
  std::uint64_t n = 0;
};

// Calls send(value) for each message of a task. The work for one message waits for that of the one before.
template <class Send>
void send_all(std::int64_t task, int n_steps, Send send) {
  std::uint64_t value = static_cast<std::uint64_t>(task);
  for (int i = 0; i < n_messages_of_task; ++i) send(value = work(value + 1, n_steps));
}

void measure(world& w, bench::benchmark& all) {
  const std::int64_t n_tasks = all.is_smoke() ? 10 : 4'000;
  const std::int64_t n = n_tasks * n_messages_of_task;
  const int n_steps = steps_of_30_ns(w);
  received here;
  actor add{w, [&](std::uint64_t value) {
              here.sum += value;
              ++here.n;
            }};
  const auto run = [&](const char* name, int n_steps_of_each, bool by_tasks) {
    std::uint64_t expected = 0;
    for (std::int64_t t = 0; t < n_tasks; ++t) {
      send_all(t, n_steps_of_each, [&](std::uint64_t value) { expected += value; });
    }
    const auto send = [&add, me = w.my_pe(), n_steps_of_each](std::int64_t task) {
      send_all(task, n_steps_of_each, [&](std::uint64_t value) { add.send(me, value); });
    };
    all.measure(
        {name, static_cast<double>(n), "ns", "steps=" + std::to_string(n_steps_of_each)},
        [&] {
          here = {};
          w.finish([&] {
            if (by_tasks) return forasync({0, n_tasks, 1}, send);
            for (std::int64_t t = 0; t < n_tasks; ++t) send(t);
          });
        },
        [&] { return here.sum == expected && here.n == static_cast<std::uint64_t>(n); });
  };
  run("main_program", 0, false);
  run("tasks", 0, true);
  run("main_program_with_work", n_steps, false);
  run("tasks_with_work", n_steps, true);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_one(argc, argv, "workers", measure); }
