/// A ball between the two processes, whatever carries it.
#pragma once

#include <cstdint>

#include "tools/network_bench/library/support/clock.hpp"

namespace network_bench {

/// Half of the mean of `n` round trips, in ns. `is_first`: this process begins. `throw_ball` sends to the other process, and
/// `catch_ball` waits until that has sent. `round` is the number of the round trip, counted on.
template <class Throw, class Catch>
double half_round_trip_ns(bool is_first, std::int64_t n, std::uint64_t& round, Throw throw_ball, Catch catch_ball) {
  const double begin = now_ns();
  for (std::int64_t i = 0; i < n; ++i) {
    ++round;
    if (is_first) throw_ball();
    catch_ball();
    if (!is_first) throw_ball();
  }
  return (now_ns() - begin) / (2.0 * static_cast<double>(n));
}

}  // namespace network_bench
