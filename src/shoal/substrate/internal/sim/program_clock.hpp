/// How long programs compute between their calls of the substrate, measured on the machine that simulates them.
#pragma once

#include <cstdint>

namespace shoal::internal::sim {

/// One for all PEs, since only one runs at a time. Off, it costs a branch.
class program_clock {
public:
  /// `factor`: how many times longer the simulated processor takes than this one; 0: off.
  explicit program_clock(double factor) noexcept;

  bool is_on() const noexcept { return factor_ > 0; }

  /// Called when a PE leaves the simulator for its program.
  void resume() noexcept {
    if (is_on()) resumed_ = read_ns();
  }

  /// Called when a PE's program has called the simulator. What the program took since it got the processor, in time of the
  /// simulated one; 0 if the clock is off. Time in which the operating system ran something else does not count.
  std::uint64_t stop() noexcept { return is_on() ? measure_ns() : 0; }

private:
  static std::int64_t read_ns() noexcept;
  static std::int64_t read_used_ns() noexcept;
  std::uint64_t measure_ns() noexcept;

  const double factor_;
  std::int64_t reading_ns_ = 0;  // what a reading takes
  std::int64_t resumed_ = 0;
  // By how much the clock was ahead of the processor time that this thread had used, when last compared.
  std::int64_t ahead_ns_ = 0;
};

}  // namespace shoal::internal::sim
