#include "kernels/histogram/zipf.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal::kernels::histogram {
namespace {

// log(1 + x) / x and (exp(x) - 1) / x, which tend to 1 where x tends to 0: there by their series.
constexpr double tiny = 1e-8;
double log1p_over(double x) { return std::abs(x) > tiny ? std::log1p(x) / x : 1 - x / 2; }
double expm1_over(double x) { return std::abs(x) > tiny ? std::expm1(x) / x : 1 + x / 2; }

}  // namespace

// A point of [low_, high_] is an area under the weight, as a function of real ranks. Rank k owns the points that belong
// to ranks from k - 1/2 to k + 1/2. These are at least as many as its weight, because the function is convex, so the
// lowest of them are rejected. Rank 1 owns no more than its weight.
zipf_ranks::zipf_ranks(std::uint64_t n, double exponent)
    : exponent_(exponent),
      n_(static_cast<double>(n)),
      low_(integral(1.5) - 1),
      high_(integral(n_ + 0.5)),
      accepted_(2 - inverse_integral(integral(2.5) - weight(2))) {}

double zipf_ranks::weight(double rank) const { return std::exp(-exponent_ * std::log(rank)); }

// Of the weight from 1 to x: (x^(1 - exponent) - 1) / (1 - exponent), or log(x) for an exponent of 1.
double zipf_ranks::integral(double x) const {
  const double log_x = std::log(x);
  return expm1_over((1 - exponent_) * log_x) * log_x;
}

double zipf_ranks::inverse_integral(double y) const {
  const double t = std::max(-1.0, (1 - exponent_) * y);  // rounding may take it below
  return std::exp(log1p_over(t) * y);
}

std::uint64_t zipf_ranks::draw(random_engine& random) const {
  for (;;) {
    const double y = high_ + random.uniform() * (low_ - high_);
    const double x = std::min(inverse_integral(y), n_);  // rounding may take it above, up to infinity
    const double rank = std::max(1.0, std::floor(x + 0.5));
    if (rank - x <= accepted_ || y >= integral(rank + 0.5) - weight(rank)) return static_cast<std::uint64_t>(rank);
  }
}

// The first step from n * (sqrt(2) - 1) on that has no common divisor with n; n - 1 is one unless n is 1. Multiples of
// sqrt(2) are evenly spread modulo 1, and the golden ratio is left to hashes.
spread_ranks::spread_ranks(std::uint64_t n) : n_(n) {
  constexpr std::uint64_t fraction = 0x6a09e667f3bcc908;  // (sqrt(2) - 1) * 2^64
  step_ = static_cast<std::uint64_t>((static_cast<wide>(n) * fraction) >> 64);
  while (std::gcd(step_, n) != 1) ++step_;
}

}  // namespace shoal::kernels::histogram
