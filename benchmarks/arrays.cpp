// Collectives of arrays, in time for each element: sums of spans of 1 to a million numbers, the same as single values and
// as many short spans, each of which takes a round; scans, gathers and all-to-all.
// pes: 2
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"

namespace {

using namespace shoal;

constexpr std::size_t n_in_round = 100;  // numbers that fit into a round

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "arrays", given);
  const std::size_t n_elements = all.is_smoke() ? 20'000 : 1'000'000;  // of each run, in as many calls as it takes
  const auto nanos = [&](const std::string& name, std::size_t n) {
    return bench::measured_case{name, double(n), "ns"};
  };

  // Sums replace the values, so each call begins with values that are given anew; the copy is part of the time.
  const auto sums = [&](const std::string& name, std::size_t n, std::size_t n_of_call) {
    const std::size_t n_calls = std::clamp<std::size_t>(n_elements / n, 1, 2000);
    const std::vector<double> mine(n, 1.0 + static_cast<double>(w.my_pe()));
    std::vector<double> sum(n);
    all.measure(
        nanos(name + "_" + std::to_string(n), n * n_calls),
        [&] {
          for (std::size_t k = 0; k < n_calls; ++k) {
            for (std::size_t i = 0; i < n; i += n_of_call) {
              const std::size_t m = std::min(n_of_call, n - i);
              w.sum(std::span(mine).subspan(i, m), std::span(sum).subspan(i, m));
            }
          }
        },
        [&] { return std::ranges::count(sum, double(w.n_pes() * (w.n_pes() + 1) / 2)) == std::ptrdiff_t(n); });
  };
  for (const std::size_t n : {1, 10, 100, 200, 400, 1000, 2000, 4000, 10'000, 100'000, 1'000'000}) {
    if (n > n_elements) break;
    sums("sum", n, n);
    if (n > n_in_round && n <= 10'000) sums("sum_in_rounds", n, n_in_round);
  }

  double total = 0;
  all.measure(
      nanos("sum_of_values", 2000),
      [&] {
        total = 0;
        for (int i = 0; i < 2000; ++i) total += w.sum(1.0);
      },
      [&] { return total == 2000.0 * double(w.n_pes()); });

  const std::vector<std::int64_t> mine(n_elements, w.my_pe());
  std::vector<std::int64_t> before(n_elements);
  all.measure(
      nanos("exclusive_scan", n_elements), [&] { w.exclusive_scan(mine, std::span(before)); },
      [&] { return before.back() == w.my_pe() * (w.my_pe() - 1) / 2; });

  // For each element that a PE gets.
  std::size_t n_got = 0;
  all.measure(
      nanos("gather", n_elements * static_cast<std::size_t>(w.n_pes())),
      [&] { n_got = w.gather(std::span(mine)).values().size(); },
      [&] { return n_got == n_elements * static_cast<std::size_t>(w.n_pes()); });
  std::vector<std::span<const std::int64_t>> out;
  for (pe_id pe = 0; pe < w.n_pes(); ++pe) out.push_back(std::span(mine).first(n_elements / 2));
  all.measure(
      nanos("all_to_all", n_elements / 2 * static_cast<std::size_t>(w.n_pes())),
      [&] { n_got = w.all_to_all(out).values().size(); },
      [&] { return n_got == n_elements / 2 * static_cast<std::size_t>(w.n_pes()); });
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
