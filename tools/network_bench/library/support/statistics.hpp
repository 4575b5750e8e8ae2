/// The median of the blocks of a measure, and how certain it is.
#pragma once

#include <cstddef>
#include <vector>

namespace network_bench {

/// `low` to `high` contains the true median with a probability of at least 90 %, whatever the distribution is.
struct summary {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// How many of `n` ordered values lie outside the interval at each end. `n` is at least 5.
std::size_t n_outside_interval(std::size_t n);

/// Needs at least 5 values.
summary summary_of(std::vector<double> values);

}  // namespace network_bench
