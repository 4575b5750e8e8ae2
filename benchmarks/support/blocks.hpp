/// What benchmarks of matrices in blocks share: options, and the two forms beside each other.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "benchmarks/support/benchmark.hpp"

namespace shoal::bench {

struct block_options {
  std::int64_t n_blocks = 12;  // in each direction
  std::int64_t n_rows = 1000;  // of a block, and its columns
  std::uint64_t block_ns = 0;  // that a block takes beside its work
};

/// Lets `ns` pass as if this PE computed: by the clock of the simulator, and elsewhere asleep, since the hosts of the lab share
/// a few cores.
inline void pass_time(world& w, std::uint64_t ns) {
  if (is_simulated(w.backend().kind())) return w.charge_ns(ns);
  if (ns != 0) std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

/// `--blocks`, `--rows`, `--block-us` over `of`. Throws setup_error.
inline block_options parse_blocks(const options& given, block_options of) {
  for (std::size_t i = 0; i < given.others.size(); i += 2) {
    const std::string& word = given.others[i];
    if (word != "--blocks" && word != "--rows" && word != "--block-us") {
      throw setup_error("unknown option '" + word +
                        "'; there are --blocks N, --rows N, --block-us N, --smoke and --repeat R");
    }
    if (i + 1 == given.others.size()) throw setup_error(word + " needs a number");
    const std::string& value = given.others[i + 1];
    if (word == "--blocks") of.n_blocks = parse_integer(value, word, 1, 1'000);
    if (word == "--rows") of.n_rows = parse_integer(value, word, 1, 10'000);
    if (word == "--block-us")
      of.block_ns = 1'000 * static_cast<std::uint64_t>(parse_integer(value, word, 0, 1'000'000));
  }
  return of;
}

/// The least of the times that `step()` takes.
template <class F>
std::uint64_t least_ns(world& w, F&& step) {
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t begin_ns = w.now_ns();
    step();
    least = std::min(least, w.now_ns() - begin_ns);
  }
  return least;
}

/// Measures `by_tasks()` and `by_supersteps()`, and how many times as long the second takes. `verify()` is called after each.
/// `longest_ns` is the time of the longest step that neither form divides.
template <class Tasks, class Supersteps, class Verify>
void compare_forms(benchmark& all, const block_options& of, std::uint64_t longest_ns, Tasks&& by_tasks,
                   Supersteps&& by_supersteps, Verify&& verify) {
  const std::string parameters = "blocks=" + std::to_string(of.n_blocks) + " rows=" + std::to_string(of.n_rows) +
                                 " block_us=" + std::to_string((longest_ns + 500) / 1000);
  const double tasks = all.measure({"tasks", 1, "us", parameters}, by_tasks, verify);
  const double supersteps = all.measure({"supersteps", 1, "us", parameters}, by_supersteps, verify);
  all.derive("supersteps_per_tasks", supersteps / tasks);
}

}  // namespace shoal::bench
