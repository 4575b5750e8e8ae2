// Crashes or keeps its PEs waiting in some way, named by its first argument, for signals.test.py.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "shoal/shoal.hpp"
#include "shoal/task/parallel_handler.hpp"
#include "shoal/task/task.hpp"

namespace {

// An address in no memory of any process.
long* nowhere() { return reinterpret_cast<long*>(std::uintptr_t{0x1234'5678'9008}); }

void write_to(volatile long* at) { *at = 1; }

[[gnu::noinline]] long recurse(long n) {
  volatile char frame[4096];
  frame[n % 4096] = 1;
  return n < 0 ? 0 : recurse(n + 1) + frame[n % 4096];
}

struct counting final : shoal::selector<counting, long, double> {
  using selector::selector;
  void process(long m) { std::printf("%ld\n", recurse(m)); }
  void process(double) { std::abort(); }
};

void crash(shoal::world& w, std::string_view what) {
  const shoal::pe_id last = w.n_pes() - 1;
  shoal::actor update{w, [](int divisor) { std::raise(divisor == 0 ? SIGFPE : SIGILL); }, "update"};
  counting counts{w, "counts"};
  w.finish([&] {
    if (w.my_pe() != 0) return;
    if (what == "brought") {
      w.send(last, [n = 7L, at = nowhere()] { write_to(at + n - n); });
    } else if (what == "member") {
      struct pair {
        long a;
        long b;
      };
      w.send(last, [at = reinterpret_cast<pair*>(nowhere())] { write_to(&at->b); });
    } else if (what == "brought_by_call") {
      w.send(last, [n = 7L, at = nowhere()](std::string_view text) { write_to(at + n - text.size()); }, "7 bytes");
    } else if (what == "null") {
      w.send(last, [] { write_to(reinterpret_cast<long*>(8)); });
    } else if (what == "abort") {
      counts.send<1>(last, 1.0);
    } else if (what == "overflow") {
      counts.send<0>(last, 1L);
    } else if (what == "arithmetic") {
      update.send(last, 0);
    } else if (what == "in_main") {
      write_to(reinterpret_cast<long*>(8));
    }
  });
}

// Until the file `end` is there.
void wait_for(const char* end) {
  while (::access(end, F_OK) != 0) ::usleep(1000);
}

void let_wait(shoal::world& w, std::string_view what, const char* end) {
  const shoal::pe_id last = w.n_pes() - 1;
  std::fclose(std::fopen((std::string(end) + "." + std::to_string(w.my_pe())).c_str(), "w"));
  if (what == "compute") {
    w.finish([&] {
      if (w.my_pe() == last) wait_for(end);
    });
  } else if (what == "progress") {
    w.barrier();
    w.finish([&] {
      while (w.my_pe() == last && ::access(end, F_OK) != 0) w.progress();
    });
  } else if (what == "handle") {
    w.finish([&] {
      if (w.my_pe() == 0) w.send(last, [] { wait_for(std::getenv("TEST_END")); });
    });
  } else if (what == "task") {
    w.finish([&] {
      if (w.my_pe() == last) shoal::async([end] { wait_for(end); });
    });
  } else if (what == "task_elsewhere") {
    w.finish([&] {
      if (w.my_pe() != last) return;
      std::atomic<bool> has_begun = false;
      shoal::async([&, end] {
        has_begun = true;
        wait_for(end);
      });
      while (!has_begun) ::usleep(100);  // so that another worker begins it
    });
  } else if (what == "handler_elsewhere") {
    const std::thread::id own = std::this_thread::get_id();
    std::atomic<bool> has_begun = false;
    shoal::actor slow{w, shoal::parallel_handler{[&](long) {
                        if (std::this_thread::get_id() == own || has_begun) return static_cast<void>(::usleep(1000));
                        has_begun = true;
                        wait_for(end);
                      }},
                      "slow"};
    w.finish([&] {
      while (w.my_pe() == last && !has_begun) {
        slow.send(last, 1L);
        slow.limit_latency(0);  // which posts it
        w.progress();
      }
    });
  }
  w.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "own_handler") {
    std::signal(SIGSEGV, [](int) { std::_Exit(9); });
    std::signal(SIGQUIT, [](int) { std::_Exit(9); });
  }
  return shoal::run(argc, argv, [&](shoal::world& w) {
    if (const char* const end = std::getenv("TEST_END")) {
      let_wait(w, what, end);
    } else {
      crash(w, what == "own_handler" ? "null" : what);
    }
    return 0;
  });
}
