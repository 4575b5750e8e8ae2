#include "shoal/compat/internal/lagged_fibonacci.hpp"

#include <algorithm>

namespace shoal::internal::compat {
namespace {

// Of two numbers in [0, 1). Exact, since both are multiples of 2^-52.
double sum_mod_1(double a, double b) {
  const double sum = a + b;
  return sum >= 1 ? sum - 1 : sum;
}

}  // namespace

// The seed becomes a polynomial z^s modulo z^100 + z^37 + 1 by squaring and multiplying, and 70 further squarings separate
// streams of different seeds; the numbers are its bits, weighted.
lagged_fibonacci::lagged_fibonacci(std::int64_t seed) {
  constexpr double unit = 1.0 / (std::int64_t{1} << 52);
  constexpr int n_separations = 70;
  const std::int64_t bits = seed & 0x3fffffff;
  std::array<double, 2 * long_lag - 1> u{};
  double power = 2 * unit * static_cast<double>(bits + 2);
  for (int j = 0; j < long_lag; ++j) {
    u[static_cast<std::size_t>(j)] = power;
    power += power;
    if (power >= 1) power -= 1 - 2 * unit;
  }
  u[1] += unit;
  const auto at = [&u](int i) -> double& { return u[static_cast<std::size_t>(i)]; };
  std::int64_t s = bits;
  for (int n_left = n_separations - 1; n_left != 0;) {
    for (int j = long_lag - 1; j > 0; --j) {  // square
      at(2 * j) = at(j);
      at(2 * j - 1) = 0;
    }
    for (int j = 2 * long_lag - 2; j >= long_lag; --j) {  // reduce
      at(j - (long_lag - short_lag)) = sum_mod_1(at(j - (long_lag - short_lag)), at(j));
      at(j - long_lag) = sum_mod_1(at(j - long_lag), at(j));
    }
    if ((s & 1) != 0) {  // multiply by z
      for (int j = long_lag; j > 0; --j) at(j) = at(j - 1);
      at(0) = at(long_lag);
      at(short_lag) = sum_mod_1(at(short_lag), at(long_lag));
    }
    if (s != 0) {
      s >>= 1;
    } else {
      --n_left;
    }
  }
  for (int j = 0; j < long_lag; ++j) {
    const int to = j < short_lag ? j + long_lag - short_lag : j - short_lag;
    state_[static_cast<std::size_t>(to)] = at(j);
  }
  std::array<double, 2 * long_lag - 1> warm_up{};
  for (int i = 0; i < 10; ++i) make_numbers(warm_up.data(), static_cast<int>(warm_up.size()));
}

void lagged_fibonacci::make_numbers(double* into, int n) {
  std::copy(state_.begin(), state_.end(), into);
  for (int j = long_lag; j < n; ++j) into[j] = sum_mod_1(into[j - long_lag], into[j - short_lag]);
  for (int i = 0; i < long_lag; ++i) {  // where the next call goes on
    const int j = n + i;
    const double recent = i < short_lag ? into[j - short_lag] : state_[static_cast<std::size_t>(i - short_lag)];
    state_[static_cast<std::size_t>(i)] = sum_mod_1(into[j - long_lag], recent);
  }
}

double lagged_fibonacci::next() {
  if (n_used_ == long_lag) {
    make_numbers(numbers_.data(), block);
    n_used_ = 0;
  }
  return numbers_[static_cast<std::size_t>(n_used_++)];
}

}  // namespace shoal::internal::compat
