// Keeps its PEs waiting in some way, named by its first argument, for stall.test.py. TEST_PATIENCE_MS: how long a PE
// waits before it looks; TEST_SEED: which hang; TEST_END: a file that ends loops; TEST_MS: how long the last PE computes.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"
#include "test/support/hangs.hpp"

namespace {

bool has_ended() {
  const char* const end = std::getenv("TEST_END");
  return end != nullptr && ::access(end, F_OK) == 0;
}

std::int64_t number(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::atoll(text);
}

void compute(std::chrono::microseconds time) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < time) {
  }
}

using longs = shoal::conveyor<long>;

// PE 0 waits for the clerk on PE 1, whose handler waits for the guard on the last PE, who promises an answer and never
// gives it.
void wait_for_a_promise(shoal::world& w) {
  std::optional<shoal::promise<long>> never_kept;
  shoal::actor guard{w, [&](long) { return never_kept.emplace().get_future(); }, "guard"};
  shoal::actor clerk{w,
                     [&](long n) -> shoal::future<long> {
                       const long more = co_await guard.ask(w.n_pes() - 1, n);
                       co_return n + more;
                     },
                     "clerk"};
  w.finish([&] {
    if (w.my_pe() == 0) clerk.ask(1, 1L).get();
  });
}

// PE 1 starts one call fewer than the others. PE 0 takes the result, and on other PEs something waits for it.
void wait_for_background_calls(shoal::world& w) {
  w.start_barrier().get();
  if (w.my_pe() == 1) return w.barrier();
  shoal::future<int> sum = w.start_sum(1);
  w.finish([&] { w.my_pe() == 0 ? static_cast<void>(sum.get()) : static_cast<void>(sum.then([](int) {})); });
}

void run(shoal::world& w, std::string_view what) {
  const shoal::pe_id last = w.n_pes() - 1;
  const bool is_last = w.my_pe() == last;
  if (what == "hang") {
    const shoal::test::hang how = shoal::test::hang_of(static_cast<std::uint64_t>(number("TEST_SEED")), w.n_pes());
    const std::vector<std::string> waits = shoal::test::expected_waits(how, w.n_pes());
    // A script reads this.
    if (w.my_pe() == 0) {
      for (const std::string& each : waits) std::printf("%s\n", each.c_str());
      std::fflush(stdout);
    }
    shoal::test::run_hang(w, how);
  } else if (what == "promise") {
    wait_for_a_promise(w);
  } else if (what == "background") {
    wait_for_background_calls(w);
  } else if (what == "background_of_team") {
    shoal::world team = w.split(0, -w.my_pe());
    wait_for_background_calls(team);
  } else if (what == "progress") {
    while (is_last && !has_ended()) w.progress();
    w.barrier();
  } else if (what == "advance") {
    longs c(w);
    c.begin();
    while (c.advance(!is_last || has_ended()) != shoal::progress::complete) {
    }
    c.reset();
  } else if (what == "compute") {
    if (is_last) compute(std::chrono::milliseconds(number("TEST_MS")));
    w.barrier();
  } else if (what == "work_in_loop") {
    const auto begin = std::chrono::steady_clock::now();
    while (is_last && std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(number("TEST_MS"))) {
      compute(std::chrono::microseconds(500));
      w.progress();
    }
    w.barrier();
  } else if (what == "traffic") {
    std::int64_t n = 0;
    const auto begin = std::chrono::steady_clock::now();
    shoal::actor counts{w, [&](long) { ++n; }, "counts"};
    for (bool goes_on = true; goes_on;) {
      w.finish([&] {
        for (int i = 0; i < 10; ++i) counts.send(last, 1L);
        if (is_last) compute(std::chrono::microseconds(3000));
      });
      const bool mine = std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(number("TEST_MS"));
      goes_on = w.max(mine ? 1 : 0) != 0;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  shoal::settings chosen = shoal::internal::settings_from_environment();
  chosen.stall_patience_ns = static_cast<std::uint64_t>(number("TEST_PATIENCE_MS")) * 1'000'000;
  return shoal::run_with(chosen, [&](shoal::world& w) {
    run(w, what);
    return 0;
  });
}
