// Compares eight PEs on two cores with two PEs, with the same histogram updates in total. It starts both jobs itself,
// alternately, so that both see the same machine, and compares them pair by pair.
// processors: 2
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/jobs.hpp"
#include "kernels/histogram/problem.hpp"

namespace {

using namespace shoal;
using namespace shoal::internal;
namespace histogram = shoal::kernels::histogram;

// A PE of one of the jobs: `--job TOTAL FILE`.
int run_pe(world& w, const std::vector<std::string>& words) {
  const std::uint64_t n_total = parse_integer(words.at(1), "--job", 1, INT64_MAX);
  histogram::problem p = histogram::make_problem(w, {.n_updates = n_total / w.n_pes()});
  histogram::run_actor(w, p);  // warms up
  std::int64_t n_counted = 0;
  for (const std::int64_t count : p.counts) n_counted += count;
  const bool is_right = w.sum(n_counted) == static_cast<std::int64_t>(n_total / w.n_pes()) * w.n_pes();
  w.barrier();
  const std::uint64_t begin = w.now_ns();
  histogram::run_actor(w, p);
  w.barrier();
  const double seconds = static_cast<double>(w.now_ns() - begin) * 1e-9;
  if (w.my_pe() == 0) std::ofstream(words.at(2)) << seconds << '\n';
  return is_right ? 0 : 1;
}

int compare(const bench::options& given) {
  const int n_total = given.is_smoke ? 400'000 : 20'000'000;
  const int n_cores = std::min(2, allowed_cores());
  const int sizes[] = {n_cores, 4 * n_cores};
  std::vector<double> seconds[2];
  std::vector<double> ratios;
  for (int repeat = 0; repeat < given.n_repeats; ++repeat) {
    for (int which = 0; which < 2; ++which) {
      const std::vector<double> told =
          bench::run_job(sizes[which], {{"SHOAL_CORES", std::to_string(n_cores)}}, {"--job", std::to_string(n_total)});
      seconds[which].push_back(told.at(0));
    }
    ratios.push_back(seconds[1].back() / seconds[0].back());
  }
  for (int which = 0; which < 2; ++which) {
    bench::print_result("oversubscription", {"histogram", 1, "s", "updates=" + std::to_string(n_total)}, seconds[which],
                        true, "pes=" + std::to_string(sizes[which]) + " cores=" + std::to_string(n_cores));
  }
  const bench::summary ratio = bench::summarise(ratios);
  std::printf("bench=oversubscription derived=ratio_of_pairs value=%.3f min=%.3f max=%.3f\n", ratio.median, ratio.min,
              ratio.max);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bench::options given = bench::parse_options(argc, argv);
    if (!given.others.empty() && given.others[0] == "--job") {
      return run(argc, argv, [&](world& w) { return run_pe(w, given.others); });
    }
    bench::refuse_others(given);
    return compare(given);
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_oversubscription: %s\n", e.what());
    return 2;
  }
}
