/// How far a simulation is, on the standard error stream.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "applications/swe/simulation.hpp"

namespace shoal::cli {

/// A thread that looks at the progress now and then, so that patches need not know the time, and do not wait for a
/// terminal. On a terminal it draws a bar, which it removes at the end; elsewhere it prints lines.
class progress_bar {
public:
  /// `whole`: what `done.patch_seconds` will be at the end. `done` must outlive the object.
  progress_bar(std::string name, const swe::run_progress& done, double whole);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

private:
  void show_until_end();

  const std::string name_;
  const swe::run_progress& done_;
  const double whole_;
  const bool is_terminal_;
  std::mutex guards_end_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread shows_;  // last: it uses the others
};

/// "12 s left" and the like. `part`: what is done of 1; `seconds`: what it took.
std::string time_left(double part, double seconds);

/// "[=====     ]  50 %".
std::string drawn_bar(double part);

}  // namespace shoal::cli
