/// Numbers in lines of text files.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace shoal::internal {

constexpr bool is_blank_char(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

/// Whether a line is blank.
inline bool is_blank(std::string_view line) noexcept { return std::all_of(line.begin(), line.end(), is_blank_char); }

/// A position in a line. Words end at blanks and at `separator`.
struct cursor {
  const char* at;
  const char* end;
  char separator = ' ';

  void skip_blanks() noexcept {
    while (at != end && is_blank_char(*at)) ++at;
  }
  bool ends_word(const char* p) const noexcept { return p == end || is_blank_char(*p) || *p == separator; }
};

/// std::from_chars after blanks, with the leading plus sign that Fortran writes. The number must be a whole word.
template <class T>
std::errc parse_number(cursor& c, T& value) noexcept {
  c.skip_blanks();
  const char* begin = c.at;
  if (c.end - begin > 1 && *begin == '+' && begin[1] != '-') ++begin;
  const auto [stop, error] = std::from_chars(begin, c.end, value);
  if (error == std::errc::invalid_argument || !c.ends_word(stop)) return std::errc::invalid_argument;
  c.at = stop;
  return error;
}

/// The same for a double. std::from_chars reports underflow and overflow alike; here underflow is zero.
inline std::errc parse_real(cursor& c, double& value) {
  c.skip_blanks();
  const char* const begin = c.at;
  const std::errc error = parse_number(c, value);
  if (error != std::errc::result_out_of_range) return error;
  value = std::strtod(std::string(begin, c.at).c_str(), nullptr);
  return std::abs(value) < 1 ? std::errc{} : error;
}

}  // namespace shoal::internal
