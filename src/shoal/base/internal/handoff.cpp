#include "shoal/base/internal/handoff.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "shoal/base/types.hpp"

namespace shoal::internal {
namespace {

constexpr int n_windows = 10;
constexpr int n_round_trips = 10'000;

bool pin(int cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(static_cast<std::size_t>(cpu), &cpus);
  return ::sched_setaffinity(0, sizeof cpus, &cpus) == 0;
}

// The line that is passed. Odd: it is the other thread's turn.
struct alignas(cache_line_bytes) ball {
  std::atomic<int> turn{0};

  // acquire and release, as for a message that carries data.
  void hand_over(int next) { turn.store(next, std::memory_order_release); }
  void await(int expected) const {
    while (turn.load(std::memory_order_acquire) != expected) {
    }
  }
};

double fastest_window_ns(ball& line) {
  using clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  int turn = 0;
  for (int window = 0; window < n_windows; ++window) {
    const clock::time_point begin = clock::now();
    for (int i = 0; i < n_round_trips; ++i) {
      line.hand_over(++turn);
      line.await(++turn);
    }
    const std::chrono::duration<double, std::nano> taken = clock::now() - begin;
    best = std::min(best, taken.count() / (2.0 * n_round_trips));
  }
  return best;
}

}  // namespace

std::optional<double> measure_handoff_ns(int a, int b) {
  cpu_set_t before;
  if (a == b || std::max(a, b) >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof before, &before) != 0) {
    return std::nullopt;
  }
  ball line;
  std::atomic<int> is_pinned{-1};
  std::thread other([&] {
    is_pinned = pin(b) ? 1 : 0;
    if (is_pinned == 0) return;
    for (int turn = 1; turn < 2 * n_windows * n_round_trips; turn += 2) {
      line.await(turn);
      line.hand_over(turn + 1);
    }
  });
  while (is_pinned < 0) std::this_thread::yield();
  std::optional<double> result;
  const bool is_ready = is_pinned == 1;
  // The other thread must be joined even if this one cannot be pinned.
  const bool is_mine_pinned = pin(a);
  if (is_ready) result = fastest_window_ns(line);
  other.join();
  ::sched_setaffinity(0, sizeof before, &before);
  return is_mine_pinned ? result : std::nullopt;
}

}  // namespace shoal::internal
