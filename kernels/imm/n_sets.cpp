// How many sets IMM needs.
#include <math.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/imm/problem.hpp"

namespace shoal::kernels::imm {
namespace {

constexpr double part_of_greedy = 1 - 1 / std::numbers::e;

// Not std::lgamma, which writes the sign into a global variable, as PEs that are threads would at the same time.
double log_of_factorial(double n) {
  int sign = 0;
  return ::lgamma_r(n + 1, &sign);
}

// Logarithms of what the bounds are made of. One vertex would divide by log(1), so it counts as two.
struct logarithms {
  logarithms(const parameters& given, std::int64_t n_vertices)
      : n(std::log(static_cast<double>(std::max<std::int64_t>(2, n_vertices)))),
        // Both parts may fail, so each may do so with half of n^-ell. The paper has ell * ln 2 here instead of ln 2, which
        // is not enough if ell is less than 1.
        failure(given.ell * n + std::numbers::ln2) {
    const auto all = static_cast<double>(n_vertices);
    const auto k = static_cast<double>(given.n_seeds);
    choices = log_of_factorial(all) - log_of_factorial(k) - log_of_factorial(all - k);
  }

  double n;
  double failure;  // of 1 over the probability that a part fails
  double choices = 0;  // of the number of ways to choose
};

double looser(const parameters& given) { return std::numbers::sqrt2 * given.epsilon; }

}  // namespace

std::uint64_t n_rounds(std::int64_t n_vertices) {
  const double n = std::log2(static_cast<double>(std::max<std::int64_t>(2, n_vertices)));
  return static_cast<std::uint64_t>(std::max(1.0, std::floor(n) - 1));
}

double n_sets_of_round(const parameters& given, std::int64_t n_vertices, std::uint64_t round) {
  const logarithms log(given, n_vertices);
  const double e = looser(given);
  const double trials = std::log(static_cast<double>(n_rounds(n_vertices)));
  return (2 + 2 * e / 3) * (log.choices + log.failure + trials) / (e * e) * std::exp2(round);
}

double shown_influence(const parameters& given, std::int64_t n_vertices, std::uint64_t round, double covered_part) {
  const double lower = static_cast<double>(n_vertices) * covered_part / (1 + looser(given));
  return lower >= static_cast<double>(n_vertices) / std::exp2(round) ? lower : 0;
}

double n_sets_to_choose(const parameters& given, std::int64_t n_vertices, double lower_bound) {
  const logarithms log(given, n_vertices);
  const double alpha = std::sqrt(log.failure + std::numbers::ln2);
  const double beta = std::sqrt(part_of_greedy * (log.choices + log.failure + std::numbers::ln2));
  const double root = (part_of_greedy * alpha + beta) / given.epsilon;
  return 2 * static_cast<double>(n_vertices) * root * root / lower_bound;
}

}  // namespace shoal::kernels::imm
