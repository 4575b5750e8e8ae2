#include "tools/network_bench/library/support/computation.hpp"

#include <algorithm>

#include "tools/network_bench/library/support/clock.hpp"

namespace network_bench {

void compute(std::int64_t n_steps) {
  static volatile std::uint64_t result;
  std::uint64_t value = result;
  for (std::int64_t i = 0; i < n_steps; ++i) value = value * 6364136223846793005u + 1442695040888963407u;
  result = value;  // or the compiler would leave the loop out
}

double measured_steps_per_ns() {
  constexpr std::int64_t n_steps = 50'000;
  constexpr int n_trials = 10;
  double least_ns = 1e18;
  for (int trial = 0; trial < n_trials; ++trial) {
    const double begin = now_ns();
    compute(n_steps);
    least_ns = std::min(least_ns, now_ns() - begin);
  }
  return static_cast<double>(n_steps) / least_ns;
}

}  // namespace network_bench
