/// Skewed keys: a few entries are frequent and most are rare, as words in texts and degrees in graphs are.
#pragma once

#include <cstdint>

#include "shoal/base/random.hpp"

namespace shoal::kernels::histogram {

/// Draws ranks from 1 to n by Zipf's law: rank k with a probability proportional to k^-exponent.
///
/// Method: rejection-inversion (W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone
/// discrete distributions", ACM TOMACS 6(3), 1996). Exact but for the rounding of doubles. Set-up takes constant time,
/// and so does a rank: of a hundred draws, at most two are rejected.
///
/// A seed gives the same ranks wherever `exp` and `log` round alike: on every PE of a job, and not on every platform.
class zipf_ranks {
public:
  /// n from 1 to 2^52, so that n + 1/2 is a double; exponent from 0.01 to 10.
  zipf_ranks(std::uint64_t n, double exponent);

  std::uint64_t draw(random_engine& random) const;

private:
  double weight(double rank) const;
  double integral(double x) const;
  double inverse_integral(double y) const;

  double exponent_;
  double n_;
  double low_;  // of the integral, for rank 1
  double high_;  // of the integral, for rank n
  double accepted_;  // a point this far below its rank, or less, is always accepted
};

/// Gives each rank from 1 to n an entry from 0 to n - 1, so that ranks that are close get entries that are far apart.
///
/// Rank k gets entry (k - 1) * step mod n. No two ranks share one, because step and n have no common divisor. If P PEs
/// share the entries evenly, entry g on PE g % P, then P divides n, and ranks k to k + P - 1 are on P different PEs.
class spread_ranks {
public:
  explicit spread_ranks(std::uint64_t n);

  std::uint64_t entry_of(std::uint64_t rank) const {
    return static_cast<std::uint64_t>(static_cast<wide>(rank - 1) * step_ % n_);
  }

private:
  __extension__ using wide = unsigned __int128;

  std::uint64_t n_;
  std::uint64_t step_;
};

}  // namespace shoal::kernels::histogram
