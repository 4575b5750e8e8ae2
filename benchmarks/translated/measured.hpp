/// The supersteps of a program, counted under callgrind (--collect-atstart=no) and timed.
#pragma once

#include <valgrind/callgrind.h>

#include <chrono>

namespace measured {

inline double& seconds() {
  static double all;
  return all;
}

/// What happens while it lives counts.
class section {
public:
  section() : begin_(std::chrono::steady_clock::now()) { CALLGRIND_TOGGLE_COLLECT; }
  ~section() {
    CALLGRIND_TOGGLE_COLLECT;
    seconds() += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  section(const section&) = delete;
  section& operator=(const section&) = delete;

private:
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace measured
