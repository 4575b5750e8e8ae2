#include "shoal/graph/internal/entry_keys.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <utility>

namespace shoal::internal {
namespace {

constexpr std::size_t n_sorted_at_once = 64;  // fewer keys than this are sorted by comparisons
constexpr int digit_bits = 8;
constexpr std::size_t n_digits = std::size_t{1} << digit_bits;

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
// Bostic and McIlroy, "Engineering radix sort", Computing Systems 1993, the American flag sort). `shift` is where the
// digit begins. Digits may overlap at the end: the bits that two have in common are equal by then.
template <class Elements>
void sort_from(const Elements& all, int shift) {
  if (all.keys.size() < n_sorted_at_once) return all.sort_few();
  const auto digit = [&](std::int64_t key) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(key) >> shift) & (n_digits - 1);
  };
  std::array<std::size_t, n_digits> end{};
  for (const std::int64_t key : all.keys) ++end[digit(key)];
  std::array<std::size_t, n_digits> next;
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
    const Elements part = all.part(begin, end[d] - begin);
    shift == 0 ? part.sort_equal() : sort_from(part, std::max(0, shift - digit_bits));
  }
}

}  // namespace

void sort_keys(std::span<std::int64_t> keys, int n_bits) {
  sort_from(keys_only{keys}, std::max(0, n_bits - digit_bits));
}

void sort_keys(std::span<std::int64_t> keys, std::span<double> values, int n_bits) {
  sort_from(keys_and_values{keys, values}, std::max(0, n_bits - digit_bits));
}

}  // namespace shoal::internal
