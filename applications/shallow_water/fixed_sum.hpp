/// A sum that does not depend on the order of its terms.
#pragma once

#include <cmath>
#include <cstdint>

namespace shoal::swe {

/// Adds numbers as multiples of 2^-64. Each is rounded down to such a multiple by itself, and sums of integers are
/// exact, so any order and any grouping give the same bits. Right for terms and sums below 2^63.
class fixed_sum {
public:
  void add(double term) {
    const double whole = std::floor(term);
    constexpr double two_to_64 = 18446744073709551616.0;
    add(fixed_sum(static_cast<std::int64_t>(whole), static_cast<std::uint64_t>((term - whole) * two_to_64)));
  }

  void add(const fixed_sum& other) {
    const std::uint64_t parts = parts_ + other.parts_;
    whole_ += other.whole_ + (parts < parts_ ? 1 : 0);
    parts_ = parts;
  }

  double value() const { return static_cast<double>(whole_) + std::ldexp(static_cast<double>(parts_), -64); }

  friend bool operator==(const fixed_sum&, const fixed_sum&) = default;

  fixed_sum() = default;

  /// As `whole` and `parts` gave it, for a sum that came in a message.
  fixed_sum(std::int64_t whole, std::uint64_t parts) : whole_(whole), parts_(parts) {}

  std::int64_t whole() const { return whole_; }

  /// In multiples of 2^-64.
  std::uint64_t parts() const { return parts_; }

private:
  std::int64_t whole_ = 0;
  std::uint64_t parts_ = 0;
};

}  // namespace shoal::swe
