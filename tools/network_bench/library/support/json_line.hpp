/// One JSON object on one line of the standard output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace network_bench {

/// Members appear in the order of the calls:
///
///     json_line().text("measure", "latency").number("bytes", 8).print();
class json_line {
public:
  json_line& text(std::string_view name, std::string_view value);
  json_line& texts(std::string_view name, const std::vector<std::string>& values);
  json_line& number(std::string_view name, std::int64_t value);
  json_line& decimal(std::string_view name, double value);
  json_line& truth(std::string_view name, bool value);

  /// Flushes, so that a reader sees the line at once.
  void print() const;

private:
  json_line& member(std::string_view name, std::string_view value);

  std::string members_;
};

}  // namespace network_bench
