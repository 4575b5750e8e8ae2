// Goal: what long tasks send, and what handlers answer between them, leaves though the PE has further tasks; and posting takes a
// small part of the time of tasks. Method: in the simulator, where only the program makes time pass, PE 0 has tasks for 20 ms.
// labels: sim
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr std::uint64_t task_ns = 1'000'000;
constexpr std::uint64_t n_tasks = 20;
// Network, handlers and posting.
constexpr std::uint64_t way_ns_most = 100'000;

settings two_pes(std::int64_t n_workers = 1) {
  settings chosen = simulated(2);
  chosen.n_workers.value = n_workers;
  return chosen;
}

// How long the oldest message of a task was under way that each task sends to PE 1 at its end.
std::uint64_t oldest_message_ns(world& w) {
  std::uint64_t most_ns = 0;
  actor stamps{w, [&](std::uint64_t sent_ns) { most_ns = std::max(most_ns, w.now_ns() - sent_ns); }};
  w.finish([&] {
    for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_tasks; ++i) {
      async([&] {
        w.charge_ns(task_ns);
        stamps.send(1, w.now_ns());
      });
    }
  });
  return w.max(most_ns);
}

TEST(posting_sim, a_message_of_a_long_task_does_not_wait_for_the_next_task) {
  run_job(two_pes(), [](world& w) { EXPECT_LE(oldest_message_ns(w), way_ns_most); });
}

// The PE's own thread may have begun a task meanwhile, or two.
TEST(posting_sim, a_message_of_another_worker_waits_for_few_tasks) {
  run_job(two_pes(2), [](world& w) { EXPECT_LE(oldest_message_ns(w), 2 * task_ns + way_ns_most); });
}

// The promise is kept in the first task; what waits for it is a handler, which answers PE 1.
TEST(posting_sim, an_answer_of_a_task_does_not_wait_for_other_tasks) {
  run_job(two_pes(), [](world& w) {
    promise<int> kept;
    future<int> answer = kept.get_future();
    per_pe<future<int>*> place(w, &answer);
    std::uint64_t waited_ns = 0;
    w.finish([&] {
      const std::uint64_t begin_ns = w.now_ns();
      if (w.my_pe() == 1) {
        w.ask(0, [its = place.handle()] { return std::move(**its); }).then([&, begin_ns](int) {
          waited_ns = w.now_ns() - begin_ns;
        });
        return;
      }
      for (std::uint64_t i = 0; i < n_tasks; ++i) {
        async([&, i] {
          w.charge_ns(task_ns);
          if (i == n_tasks - 1) kept.set(1);  // the last one made begins first
        });
      }
    });
    EXPECT_LE(waited_ns, task_ns + way_ns_most);
  });
}

// Turns may have many tasks if these are short. Those that find none tell nothing about the next ones.
TEST(posting_sim, a_question_waits_for_one_long_task_after_an_idle_time) {
  run_job(two_pes(), [](world& w) {
    promise<void> kept;
    per_pe<promise<void>*> place(w, &kept);
    std::uint64_t waited_ns = 0;
    w.finish([&] {
      if (w.my_pe() == 0) {
        async([&] {
          kept.get_future().get();
          for (std::uint64_t i = 0; i < n_tasks; ++i) async([&] { w.charge_ns(task_ns); });
        });
        return;
      }
      w.charge_ns(10 * task_ns);
      w.ask(0, [its = place.handle()] { (*its)->set(); }).get();
      const std::uint64_t begin_ns = w.now_ns();
      w.ask(0, [](world& there) { return there.my_pe(); }).get();
      waited_ns = w.now_ns() - begin_ns;
    });
    EXPECT_LE(waited_ns, task_ns + way_ns_most);
  });
}

TEST(posting_sim, posting_takes_a_small_part_of_the_time_of_tasks) {
  settings chosen = two_pes();
  chosen.sim.value.link.overhead_ns = 50'000;
  run_job(chosen, [](world& w) {
    constexpr std::uint64_t n_short = 4'000;
    constexpr std::uint64_t short_ns = 5'000;
    std::uint64_t begin_ns = UINT64_MAX;
    std::uint64_t end_ns = 0;
    std::uint64_t n_handled = 0;
    actor count{w, [&](std::uint64_t) { ++n_handled; }};
    w.finish([&] {
      for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_short; ++i) {
        async([&, i] {
          begin_ns = std::min(begin_ns, w.now_ns());
          w.charge_ns(short_ns);
          count.send(1, i);
          end_ns = w.now_ns();
        });
      }
    });
    EXPECT_EQ(w.sum(n_handled), n_short);
    if (w.my_pe() != 0) return;
    EXPECT_LE(end_ns - begin_ns, n_short * short_ns * 6 / 5);
  });
}

}  // namespace
}  // namespace shoal::test
