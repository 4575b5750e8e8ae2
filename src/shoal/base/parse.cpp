#include "shoal/base/parse.hpp"

#include <charconv>

#include "shoal/base/setup_error.hpp"

namespace shoal {
namespace {

// As short as it can be without being another number: 0.001, 1e+09.
std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

void refuse_value(std::string_view what, std::string_view text, const std::string& hint) {
  throw setup_error(std::string(what) + "=" + std::string(text) + " " + hint);
}

std::size_t parse_bytes(std::string_view text, std::string_view what) {
  std::uint64_t value = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value);
  int shift = 0;
  bool is_valid = error == std::errc{} && end != text.data();
  if (is_valid && end != stop) {
    switch (*end) {
      case 'k':
      case 'K': shift = 10; break;
      case 'm':
      case 'M': shift = 20; break;
      case 'g':
      case 'G': shift = 30; break;
      default: is_valid = false;
    }
    is_valid = is_valid && end + 1 == stop;
  }
  if (!is_valid || value > (bytes_max >> shift)) {
    refuse_value(what, text, "is not a size; write for example 64k, 16M or 2G");
  }
  return static_cast<std::size_t>(value << shift);
}

std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value);
  if (error != std::errc{} || end != stop || value < low || value > high) {
    refuse_value(what, text, "is not a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

double parse_real(std::string_view text, std::string_view what, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= low && value <= high)) {
    refuse_value(what, text, "is not a number from " + text_of(low) + " to " + text_of(high));
  }
  return value;
}

}  // namespace shoal
