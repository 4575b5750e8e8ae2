#include "tools/cli/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace shoal::cli {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// JSON's own grammar is stricter than from_chars: no leading zeros, no "inf", digits around the point.
bool is_json_number(std::string_view text) {
  const auto skip_digits = [&] {
    const std::size_t n = static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    text.remove_prefix(n);
    return n;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool begins_with_zero = text.starts_with('0');
  const std::size_t n_whole = skip_digits();
  if (n_whole == 0 || (begins_with_zero && n_whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (skip_digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (skip_digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  // Counts stay whole numbers for readers: 10000000, not 1e+07.
  constexpr double whole_max = 9007199254740992;  // 2^53
  if (value == std::floor(value) && std::abs(value) <= whole_max) {
    return std::to_string(static_cast<long long>(value));
  }
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc{} ? std::string(text, end) : "null";
}

std::string json_value(std::string_view text) { return is_json_number(text) ? std::string(text) : json_string(text); }

}  // namespace shoal::cli
