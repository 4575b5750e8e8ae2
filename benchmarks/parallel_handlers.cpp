// What several workers of a PE bring for handlers that compute: messages to the PE itself, handled one at a time and in
// parallel. Run it with SHOAL_WORKERS 1 and 2, in turn.
#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/task/parallel_handler.hpp"

namespace {

using namespace shoal;

// Each step waits for the one before.
std::uint64_t work(std::uint64_t value, int n_steps) noexcept {
  for (int i = 0; i < n_steps; ++i) value = value * 6364136223846793005U + 1442695040888963407U;
  return value;
}

void measure(world& w, bench::benchmark& all) {
  std::atomic<std::uint64_t> sum = 0;
  int n_steps = 0;
  const auto add_up = [&](std::span<const std::uint64_t> batch) {
    std::uint64_t of_batch = 0;
    for (const std::uint64_t each : batch) of_batch += work(each, n_steps);
    sum.fetch_add(of_batch, std::memory_order_relaxed);
  };
  actor one_at_a_time{w, add_up};
  actor in_parallel{w, parallel_handler{add_up}};
  const auto run = [&](const std::string& name, auto& to, std::uint64_t n) {
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < n; ++i) expected += work(i, n_steps);
    all.measure(
        {name + "_" + std::to_string(n_steps) + "_steps", static_cast<double>(n), "ns", ""},
        [&] {
          sum = 0;
          w.finish([&] {
            for (std::uint64_t i = 0; i < n; ++i) to.send(w.my_pe(), i);
          });
        },
        [&] { return sum == expected; });
  };
  for (const int n_of_message : {0, 30, 100, 1000}) {
    n_steps = n_of_message;
    const std::uint64_t n = all.is_smoke() ? 10'000 : n_steps < 1000 ? 2'000'000 : 400'000;
    run("one_at_a_time", one_at_a_time, n);
    run("in_parallel", in_parallel, n);
  }
}

}  // namespace

int main(int argc, char** argv) { return bench::run_one(argc, argv, "parallel_handlers", measure); }
