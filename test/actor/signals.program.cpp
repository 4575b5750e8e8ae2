// Crashes or keeps its PEs waiting in some way, named by its first argument, for signals.test.py.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "shoal/shoal.hpp"

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
