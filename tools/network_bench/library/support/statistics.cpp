#include "tools/network_bench/library/support/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace network_bench {

// The number of values below the median has a binomial distribution. The interval fails at one end if at most k values
// lie below, where k is how many it leaves out; so k is the greatest number whose probability is at most 5 %.
std::size_t n_outside_interval(std::size_t n) {
  double probability = std::pow(0.5, static_cast<double>(n));
  double sum = probability;
  std::size_t k = 0;
  while (true) {
    probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    sum += probability;
    if (sum > 0.05) return k;
    ++k;
  }
}

summary summary_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  const std::size_t k = n_outside_interval(n);
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values[k], values[n - 1 - k]};
}

}  // namespace network_bench
