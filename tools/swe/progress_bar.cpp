#include "tools/swe/progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <utility>

namespace shoal::cli {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_bars(200);
constexpr std::chrono::milliseconds between_lines(2000);
constexpr std::size_t bar_width = 30;
constexpr double rounding = 1e-9;  // of the sum of all steps

}  // namespace

std::string time_left(double part, double seconds) {
  if (part <= rounding) return "time unknown";
  const auto left = static_cast<long>(std::ceil(seconds / part - seconds));
  if (left < 120) return std::to_string(left) + " s left";
  if (left < 7200) return std::to_string(left / 60) + " min left";
  return std::to_string(left / 3600) + " h left";
}

std::string drawn_bar(double part) {
  const auto n = static_cast<std::size_t>(part * static_cast<double>(bar_width));
  std::string percent = std::to_string(static_cast<int>(part * 100));
  percent.insert(0, 3 - percent.size(), ' ');
  return "[" + std::string(n, '=') + std::string(bar_width - n, ' ') + "] " + percent + " %";
}

progress_bar::progress_bar(std::string name, const swe::run_progress& done, double whole)
    : name_(std::move(name)), done_(done), whole_(whole), is_terminal_(::isatty(STDERR_FILENO) == 1), shows_([this] {
        show_until_end();
      }) {}

progress_bar::~progress_bar() {
  {
    const std::lock_guard lock(guards_end_);
    has_ended_ = true;
  }
  ended_.notify_one();
  shows_.join();
}

void progress_bar::show_until_end() {
  const clock::time_point begin = clock::now();
  const auto show = [&] {
    const double part = std::min(done_.patch_seconds.load(std::memory_order_relaxed) / whole_ + rounding, 1.0);
    const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
    std::cerr << (is_terminal_ ? "\r" : "") + name_ + " " + drawn_bar(part) + ", " + time_left(part, seconds) +
                     (is_terminal_ ? "\x1b[K" : "\n")
              << std::flush;
  };
  std::unique_lock lock(guards_end_);
  while (!ended_.wait_for(lock, is_terminal_ ? between_bars : between_lines, [this] { return has_ended_; })) show();
  if (is_terminal_) {
    std::cerr << "\r\x1b[K" << std::flush;
  } else {
    show();
  }
}

}  // namespace shoal::cli
