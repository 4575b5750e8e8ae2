/// Times a comparator as the kernels of Shoal are timed, and prints one line of JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace comparators {

/// What a line says besides times.
struct description {
  std::string kernel;
  std::string library;  // and its form: "OpenSHMEM", "MPI-3 RMA"
  std::string variant;
  std::int64_t n_operations = 0;  // of this PE in one run
  std::function<std::string()> answer = {};  // JSON, of the last run
};

/// Collective. A warm-up, then `repeat` runs: prepare(), barrier, run() and a barrier, which are timed, and verify(). Prints
/// the line on PE 0. The exit status: 1 if a PE's answer was wrong. `Job` has rank(), size(), barrier() and sum().
template <class Job, class Prepare, class Run, class Verify>
int measure(Job& job, std::int64_t repeat, const description& of, Prepare prepare, Run run, Verify verify) {
  std::vector<double> seconds;
  std::int64_t n_wrong = 0;
  for (std::int64_t i = 0; i <= repeat; ++i) {
    prepare();
    job.barrier();
    const auto begin = std::chrono::steady_clock::now();
    run();
    job.barrier();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (i > 0) seconds.push_back(took.count());
    n_wrong += job.sum(verify() ? 0 : 1);
  }
  const std::int64_t n_operations = job.sum(of.n_operations);
  if (job.rank() == 0) {
    std::printf(
        "{\"kernel\": \"%s\", \"library\": \"%s\", \"variant\": \"%s\", \"pes\": %d, \"operations\": %lld, "
        "\"seconds\": [",
        of.kernel.c_str(), of.library.c_str(), of.variant.c_str(), job.size(), static_cast<long long>(n_operations));
    for (std::size_t i = 0; i < seconds.size(); ++i) std::printf("%s%.9f", i == 0 ? "" : ", ", seconds[i]);
    std::ranges::sort(seconds);
    const double median = (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
    std::printf("], \"median\": %.9f, \"verified\": %s", median, n_wrong == 0 ? "true" : "false");
    if (of.answer) std::printf(", \"answer\": %s", of.answer().c_str());
    std::printf("}\n");
    std::fflush(stdout);
    if (n_wrong != 0) std::fprintf(stderr, "%s: a wrong answer\n", of.kernel.c_str());
  }
  return n_wrong == 0 ? 0 : 1;
}

}  // namespace comparators
