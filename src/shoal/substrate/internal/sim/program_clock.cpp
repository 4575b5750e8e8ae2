#include "shoal/substrate/internal/sim/program_clock.hpp"

#include <time.h>

#include <algorithm>
#include <limits>

namespace shoal::internal::sim {
namespace {

// Reading a thread's processor time is a system call. A program that computed less than this was not interrupted: an operating
// system gives the processor away for longer.
constexpr std::int64_t interrupted_ns_least = 50'000;

std::int64_t read(clockid_t which) noexcept {
  timespec now{};
  clock_gettime(which, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::int64_t program_clock::read_ns() noexcept { return read(CLOCK_MONOTONIC); }
std::int64_t program_clock::read_used_ns() noexcept { return read(CLOCK_THREAD_CPUTIME_ID); }

program_clock::program_clock(double factor) noexcept : factor_(factor) {
  if (!is_on()) return;
  reading_ns_ = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 1000; ++i) {
    resume();
    reading_ns_ = std::min(reading_ns_, read_ns() - resumed_);
  }
  ahead_ns_ = read_ns() - read_used_ns();
  resume();
}

std::uint64_t program_clock::measure_ns() noexcept {
  const std::int64_t now_ns = read_ns();
  std::int64_t computed_ns = now_ns - resumed_;
  if (computed_ns >= interrupted_ns_least) {
    const std::int64_t ahead_ns = now_ns - read_used_ns();
    computed_ns -= std::max<std::int64_t>(0, ahead_ns - ahead_ns_);
    ahead_ns_ = ahead_ns;
  }
  const std::int64_t program_ns = std::max<std::int64_t>(0, computed_ns - reading_ns_);
  return static_cast<std::uint64_t>(static_cast<double>(program_ns) * factor_);
}

}  // namespace shoal::internal::sim
