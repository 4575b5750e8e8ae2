/// How fast one core gets a cache line from another: the state of the machine that numbers depend on.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>

#include "shoal/base/types.hpp"

namespace shoal::bench {

/// Below this the machine is in its near state, otherwise far.
inline constexpr double handoff_near_ns_max = 60;

namespace detail {

inline constexpr int n_windows = 10;
inline constexpr int n_round_trips = 10'000;

inline bool pin(int cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(static_cast<std::size_t>(cpu), &cpus);
  return ::sched_setaffinity(0, sizeof cpus, &cpus) == 0;
}

struct alignas(cache_line_bytes) ball {
  std::atomic<int> turn{0};  // odd: it is the other thread's

  // release and acquire, as a message with data would be handed over.
  void hand_over(int next) { turn.store(next, std::memory_order_release); }
  void await(int expected) const {
    while (turn.load(std::memory_order_acquire) != expected) {
    }
  }
};

}  // namespace detail

/// Nanoseconds, one way, between CPUs `a` and `b`: two pinned threads hand a line to and fro; the fastest
/// of ten windows of 10,000 round trips counts. Nothing if the threads cannot be pinned there. The calling
/// thread ends on the CPUs it had.
inline std::optional<double> measure_handoff_ns(int a, int b) {
  using namespace detail;
  cpu_set_t before;
  if (a == b || std::max(a, b) >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof before, &before) != 0) {
    return std::nullopt;
  }
  ball line;
  std::atomic<int> is_pinned{-1};
  std::thread other([&] {
    const bool is_ready = pin(b);
    is_pinned = is_ready ? 1 : 0;
    for (int turn = 1; is_ready && turn < 2 * n_windows * n_round_trips; turn += 2) {
      line.await(turn);
      line.hand_over(turn + 1);
    }
  });
  while (is_pinned < 0) std::this_thread::yield();
  std::optional<double> best;
  if (is_pinned == 1) {
    const bool is_mine_pinned = pin(a);
    double fastest = std::numeric_limits<double>::infinity();
    int turn = 0;
    for (int window = 0; window < n_windows; ++window) {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < n_round_trips; ++i) {
        line.hand_over(++turn);
        line.await(++turn);
      }
      const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
      fastest = std::min(fastest, taken.count() / (2.0 * n_round_trips));
    }
    if (is_mine_pinned) best = fastest;
  }
  other.join();
  ::sched_setaffinity(0, sizeof before, &before);
  return best;
}

}  // namespace shoal::bench
