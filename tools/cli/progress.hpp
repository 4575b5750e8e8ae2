/// Lines on the standard error stream for users who wait.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace shoal::cli {

/// when_long: on a terminal, or when the run has taken more than two seconds.
enum class loudness : std::uint8_t { silent, when_long, always };

/// Prints a line about what happens, if somebody may be waiting for it. Only one PE prints; the others have a silent
/// object.
class progress_lines {
public:
  progress_lines(loudness loud, std::string_view name);
  void say(std::string_view what) const;

private:
  using clock = std::chrono::steady_clock;
  loudness loud_;
  bool is_terminal_;
  std::string_view name_;
  clock::time_point begin_ = clock::now();
};

}  // namespace shoal::cli
