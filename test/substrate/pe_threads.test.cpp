// Threads of a PE sleep when they have nothing to do, and none sleeps on when there is work for it.
#include "shoal/substrate/internal/pe_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

namespace shoal::internal {
namespace {

using namespace std::chrono_literals;

// Thread 1 sleeps, and is woken for work that any thread may do. Before it runs, there is work for it alone, and thread 2 goes to
// sleep: which takes the right to wake, so that thread 1 finds none.
TEST(pe_threads, wake_for_work_of_their_own_though_another_takes_the_right) {
  std::atomic<bool> has_own_work = false;
  std::atomic<bool> may_sleep = false;
  std::atomic<bool> is_ending = false;
  machine_threads threads([] {});
  threads.start(2, [&](std::size_t number) {
    while (!is_ending) {
      unsigned patience = 1'000'000;  // none
      if (number == 1) {
        threads.idle(patience, [&] { return has_own_work || is_ending; });
        has_own_work = false;
      } else if (may_sleep.exchange(false)) {
        threads.idle(patience, [&] { return is_ending.load(); });
      }
    }
  });
  bool is_done = true;
  for (int round = 0; round < 200 && is_done; ++round) {
    std::this_thread::sleep_for(500us);  // thread 1 falls asleep
    threads.wake_one();
    has_own_work = true;
    threads.wake_all();
    may_sleep = true;
    const auto begin = std::chrono::steady_clock::now();
    while (has_own_work && std::chrono::steady_clock::now() - begin < 10s) std::this_thread::yield();
    is_done = !has_own_work;
    EXPECT_TRUE(is_done) << "round " << round;
    threads.wake_all();  // thread 2, if it sleeps
  }
  is_ending = true;
  threads.wake_all();
  threads.join();
}

}  // namespace
}  // namespace shoal::internal
