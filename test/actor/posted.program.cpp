// Threads that the program starts itself, as its first argument says, for posted.test.py: they post calls, or send themselves.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"

namespace {

constexpr std::uint64_t n_threads = 3;
constexpr std::uint64_t n_calls = 400;  // of each thread

struct number {
  std::uint64_t thread;
  std::uint64_t value;
};

// Threads post calls that send numbers to the next PE: before a finish, or while one waits for them.
bool posts_arrive(shoal::world& w, bool meanwhile) {
  std::vector<std::uint64_t> next(n_threads, 0);
  bool is_in_order = true;
  shoal::actor take{w, [&](const number& its) { is_in_order &= its.value == next[its.thread]++; }};
  std::atomic<std::uint64_t> n_ended = 0;
  const auto post_all = [&](std::uint64_t thread) {
    for (std::uint64_t i = 0; i < n_calls; ++i) {
      w.post([&, thread, i] { take.send((w.my_pe() + 1) % w.n_pes(), number{thread, i}); });
    }
    ++n_ended;
  };
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < n_threads; ++t) threads.emplace_back(post_all, t);
  const auto join = [&] {
    for (std::thread& each : threads) each.join();
  };
  if (!meanwhile) join();
  w.finish([&] {
    if (!meanwhile) return;
    while (n_ended < n_threads) w.progress();
    join();
  });
  return is_in_order && next == std::vector<std::uint64_t>(n_threads, n_calls);
}

// What is posted keeps a promise for which the main program waits, asleep.
bool a_post_wakes_its_pe(shoal::world& w) {
  int got = 0;
  w.finish([&] {
    shoal::promise<int> to_come;
    shoal::future<int> answer = to_come.get_future();
    std::thread late([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      w.post([&] { to_come.set(7); });
    });
    got = answer.get();
    late.join();
  });
  return got == 7;
}

// A thread posts all the time, while its PE enters and leaves one finish after the other.
bool posts_come_while_finishes_end(shoal::world& w) {
  std::uint64_t n_come = 0;
  std::uint64_t n_posted = 0;
  shoal::actor take{w, [&](long) { ++n_come; }};
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    for (; !is_over; ++n_posted) {
      w.post([&] { take.send((w.my_pe() + 1) % w.n_pes(), 1L); });
      if (n_posted % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  for (int i = 0; i < 300; ++i) w.finish([] {});
  is_over = true;
  other.join();
  w.finish([] {});
  return w.sum(n_come) == w.sum(n_posted);
}

bool runs_well(shoal::world& w) {
  for (int i = 0; i < 5; ++i) {
    if (!posts_arrive(w, i % 2 == 0)) return false;
  }
  return a_post_wakes_its_pe(w) && posts_come_while_finishes_end(w);
}

void misuse(shoal::world& w, std::string_view what) {
  if (what == "left") return w.post([] {});
  if (what == "throws") {
    w.finish([&] { w.post([] { throw 7; }); });
  }
  shoal::actor here{w, [](long) {}};
  w.finish([&] {
    if (what == "foreign_send") std::thread([&] { here.send(0, 1L); }).join();
    if (what == "foreign_closure") std::thread([&] { w.send(0, [] {}); }).join();
    if (what == "foreign_in_task") shoal::async([&] { std::thread([&] { here.send(0, 1L); }).join(); });
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  return shoal::run(argc, argv, [&](shoal::world& w) {
    if (what.empty()) return runs_well(w) ? 0 : 3;
    if (what.starts_with("foreign") && SHOAL_CHECKED == 0) return 77;
    misuse(w, what);
    return 0;
  });
}
