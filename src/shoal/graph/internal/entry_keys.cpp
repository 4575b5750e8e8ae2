#include "shoal/graph/internal/entry_keys.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <utility>

namespace shoal::internal {
namespace {

constexpr std::size_t n_sorted_at_once = 24;  // keys, or fewer, by comparisons
constexpr int digit_bits_max = 8;
constexpr std::size_t n_digits_max = std::size_t{1} << digit_bits_max;

bool is_before(std::int64_t a, std::int64_t b) { return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b); }
bool is_before(double a, double b) { return std::strong_order(a, b) < 0; }

struct keys_only {
  std::span<std::int64_t> keys;

  keys_only part(std::size_t begin, std::size_t n) const { return {keys.subspan(begin, n)}; }
  void exchange(std::size_t a, std::size_t b) const { std::swap(keys[a], keys[b]); }
  void sort_few() const {
    std::sort(keys.begin(), keys.end(), [](std::int64_t a, std::int64_t b) { return is_before(a, b); });
  }
  void sort_equal() const {}
};

struct keys_and_values {
  std::span<std::int64_t> keys;
  std::span<double> values;

  keys_and_values part(std::size_t begin, std::size_t n) const {
    return {keys.subspan(begin, n), values.subspan(begin, n)};
  }
  void exchange(std::size_t a, std::size_t b) const {
    std::swap(keys[a], keys[b]);
    std::swap(values[a], values[b]);
  }
  void sort_few() const {
    std::array<std::pair<std::int64_t, double>, n_sorted_at_once> few;
    for (std::size_t i = 0; i < keys.size(); ++i) few[i] = {keys[i], values[i]};
    std::sort(few.begin(), few.begin() + static_cast<std::ptrdiff_t>(keys.size()), [](const auto& a, const auto& b) {
      return a.first != b.first ? is_before(a.first, b.first) : is_before(a.second, b.second);
    });
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[i] = few[i].first;
      values[i] = few[i].second;
    }
  }
  void sort_equal() const {
    std::sort(values.begin(), values.end(), [](double a, double b) { return is_before(a, b); });
  }
};

// A radix sort from the highest digit on, in place: count, then exchange each element into its digit's part (McIlroy,
// Bostic and McIlroy, "Engineering radix sort", Computing Systems 1993, the American flag sort). Keys differ in their
// lowest `n_bits` bits only. A digit is so long that its parts have some four keys, which are sorted by comparisons, but
// not longer than the parts that a cache can have open.
template <class Elements>
void sort_from(const Elements& all, int n_bits) {
  if (n_bits == 0) return all.sort_equal();
  const std::size_t n_keys = all.keys.size();
  if (n_keys <= n_sorted_at_once) return all.sort_few();
  const int n_digit_bits = std::min({digit_bits_max, n_bits, static_cast<int>(std::bit_width(n_keys)) - 3});
  const int shift = n_bits - n_digit_bits;
  const std::size_t n_digits = std::size_t{1} << n_digit_bits;
  const auto digit = [&](std::int64_t key) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(key) >> shift) & (n_digits - 1);
  };
  std::array<std::size_t, n_digits_max> end;
  std::array<std::size_t, n_digits_max> next;
  std::fill_n(end.begin(), n_digits, std::size_t{0});
  for (const std::int64_t key : all.keys) ++end[digit(key)];
  std::size_t n = 0;
  for (std::size_t d = 0; d < n_digits; ++d) {
    next[d] = n;
    n = end[d] += n;
  }
  for (std::size_t d = 0; d < n_digits; ++d) {
    for (; next[d] < end[d]; ++next[d]) {
      for (std::size_t belongs; (belongs = digit(all.keys[next[d]])) != d;) all.exchange(next[d], next[belongs]++);
    }
  }
  for (std::size_t d = 0, begin = 0; d < n_digits; begin = end[d++]) {
    if (end[d] - begin > 1) sort_from(all.part(begin, end[d] - begin), shift);
  }
}

}  // namespace

void sort_keys(std::span<std::int64_t> keys, int n_bits) { sort_from(keys_only{keys}, n_bits); }

void sort_keys(std::span<std::int64_t> keys, std::span<double> values, int n_bits) {
  sort_from(keys_and_values{keys, values}, n_bits);
}

}  // namespace shoal::internal
