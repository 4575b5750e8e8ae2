/// Knuth's lagged Fibonacci generator of real numbers (The Art of Computer Programming, vol. 2, section 3.6, in the version of
/// 2002): the stream of bale's generators of graphs, whose results are published.
#pragma once

#include <array>
#include <cstdint>

namespace shoal::internal::compat {

/// x[j] = (x[j - 100] + x[j - 37]) mod 1, in blocks of 1,009 of which the first 100 are used.
class lagged_fibonacci {
public:
  /// The lower 30 bits of the seed count.
  explicit lagged_fibonacci(std::int64_t seed);

  /// The next number, in [0, 1): a multiple of 2^-52.
  double next();

private:
  static constexpr int long_lag = 100;
  static constexpr int short_lag = 37;
  static constexpr int block = 1009;

  void make_numbers(double* into, int n);

  std::array<double, long_lag> state_{};
  std::array<double, block> numbers_{};
  int n_used_ = long_lag;
};

}  // namespace shoal::internal::compat
