/// Where the time of a PE goes, for the statistics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

/// What a PE does. At every moment it does exactly one of these, so their times add up to the whole.
enum class activity : std::uint8_t {
  main_outside,  // its main program, outside every superstep
  main_in_supersteps,  // its main program, in the body of a superstep
  waiting,  // in a call that waits, without the handlers that run meanwhile
  handlers,
  relays,  // passes on items of other PEs
};
inline constexpr std::size_t n_activities = 5;

/// Nanoseconds by activity.
using activity_times = std::array<std::uint64_t, n_activities>;

/// Reads the clock when the activity changes, and only if it is on. A change costs one branch if it is off.
class stopwatch {
public:
  /// `backend` outlives it.
  stopwatch(substrate& backend, bool is_on) noexcept : backend_(backend), is_on_(is_on) { restart(); }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  bool is_on() const noexcept { return is_on_; }

  /// Forgets the past. The main program runs, outside supersteps.
  void restart() noexcept {
    times_ = {};
    now_ = activity::main_outside;
    if (is_on_) since_ns_ = backend_.stopwatch_ns();
  }

  /// Changes the activity; returns the one before.
  activity change_to(activity next) noexcept { return is_on_ && next != now_ ? turn_to(next) : now_; }

  /// The moment of the last change.
  std::uint64_t since_ns() const noexcept { return since_ns_; }

  /// The times until now.
  const activity_times& read() noexcept {
    if (is_on_) turn_to(now_);
    return times_;
  }

  /// An activity for the lifetime of this object.
  class lap {
  public:
    lap(stopwatch& of, activity what) noexcept : of_(of), before_(of.change_to(what)) {}
    ~lap() { of_.change_to(before_); }
    lap(const lap&) = delete;
    lap& operator=(const lap&) = delete;

  private:
    stopwatch& of_;
    activity before_;
  };

private:
  activity turn_to(activity next) noexcept {
    const std::uint64_t now_ns = backend_.stopwatch_ns();
    times_[static_cast<std::size_t>(now_)] += now_ns - since_ns_;
    since_ns_ = now_ns;
    return std::exchange(now_, next);
  }

  substrate& backend_;
  const bool is_on_;
  activity now_ = activity::main_outside;
  std::uint64_t since_ns_ = 0;
  activity_times times_{};
};

}  // namespace shoal::internal
