#include "tools/network_bench/library/support/json_line.hpp"

#include <array>
#include <cstdio>

namespace network_bench {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ') {
      result += ' ';
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

json_line& json_line::member(std::string_view name, std::string_view value) {
  if (!members_.empty()) members_ += ", ";
  members_ += quoted(name);
  members_ += ": ";
  members_ += value;
  return *this;
}

json_line& json_line::text(std::string_view name, std::string_view value) { return member(name, quoted(value)); }

json_line& json_line::texts(std::string_view name, const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : ", ") + quoted(value);
  return member(name, "[" + list + "]");
}

json_line& json_line::number(std::string_view name, std::int64_t value) { return member(name, std::to_string(value)); }

json_line& json_line::decimal(std::string_view name, double value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return member(name, text.data());
}

json_line& json_line::truth(std::string_view name, bool value) { return member(name, value ? "true" : "false"); }

void json_line::print() const {
  std::printf("{%s}\n", members_.c_str());
  std::fflush(stdout);
}

}  // namespace network_bench
