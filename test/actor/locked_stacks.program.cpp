// Carries addresses of a PE's stack to another PE, hidden from every check, and overflows stacks, for locked_stacks.test.py.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "shoal/shoal.hpp"

namespace {

constexpr std::uintptr_t mask = 0x5a5a'5a5a'5a5a'5a5a;

std::uintptr_t hidden(long& n) { return reinterpret_cast<std::uintptr_t>(&n) ^ mask; }
long& found(std::uintptr_t number) { return *reinterpret_cast<long*>(number ^ mask); }

std::uintptr_t known_to_all = 0;  // simulated PEs share it

// Writes to a variable of PE 0 on the last PE.
void go_astray(shoal::world& w, std::string_view how) {
  const bool leads = w.my_pe() == 0;
  const shoal::pe_id last = w.n_pes() - 1;
  long n = 0;
  if (how == "closure") {
    w.finish([&] {
      if (leads) w.send(last, [number = hidden(n)] { ++found(number); });
    });
  } else if (how == "plain") {  // what was a number once is a number for the sender
    w.finish([&] {
      for (const std::uintptr_t number : {std::uintptr_t{1}, reinterpret_cast<std::uintptr_t>(&n)}) {
        if (leads) w.send(last, [number] { number == 1 ? 0 : ++*reinterpret_cast<long*>(number); });
      }
    });
  } else if (how == "message") {
    shoal::actor follow{w, [](std::uintptr_t number) { ++found(number); }, "follow"};
    w.finish([&] {
      if (leads) follow.send(last, hidden(n));
    });
  } else if (how == "main") {
    if (leads) known_to_all = hidden(n);
    w.barrier();
    if (w.my_pe() == last) ++found(known_to_all);
    w.barrier();
  }
  if (leads && n != 1) std::printf("the other PE did not reach it\n");
}

// Needs some 100 bytes of stack a call.
long depth_of(long n, volatile long& seen) {  // NOLINT(misc-no-recursion): on purpose
  volatile long here[8] = {n};
  seen = here[0];
  return n == 0 ? 0 : 1 + depth_of(n - 1, here[1]);
}

void recurse(shoal::world& w, std::string_view where) {
  constexpr long n_calls = 100'000;
  volatile long seen = 0;
  if (where == "deep_main") {
    if (w.my_pe() == w.n_pes() - 1) seen = depth_of(n_calls, seen);
  } else {
    shoal::actor deep{w, [&](long n) { seen = depth_of(n, seen); }, "deep"};
    w.finish([&] {
      if (w.my_pe() == 0) deep.send(w.n_pes() - 1, n_calls);
    });
  }
}

// The scheduler reads and writes variables of PEs that do not run.
int use_one_sided_access(shoal::world& w) {
  constexpr std::size_t n_words = 4;
  const auto array = w.allocate<std::int64_t>(2 * n_words);
  const shoal::pe_id next = (w.my_pe() + 1) % w.n_pes();
  const shoal::pe_id one_before = (w.my_pe() + w.n_pes() - 1) % w.n_pes();
  std::int64_t from[n_words];
  std::int64_t into[n_words] = {};
  for (std::size_t i = 0; i < n_words; ++i) from[i] = w.my_pe() * 10 + static_cast<std::int64_t>(i);
  w.start_put(array, 0, from, next);
  w.quiet();
  w.barrier();
  w.start_get(array, 0, into, next);
  std::int64_t one = 0;
  w.start_get(array, 1, one, next);
  w.quiet();
  bool is_right = one == from[1] && w.get(array, 0, w.my_pe()) == one_before * 10;
  for (std::size_t i = 0; i < n_words; ++i) is_right = is_right && into[i] == from[i];
  if (!is_right) std::printf("PE %d got something else\n", static_cast<int>(w.my_pe()));
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  return shoal::run(argc, argv, [&](shoal::world& w) {
    if (what == "one_sided") return use_one_sided_access(w);
    what.starts_with("deep") ? recurse(w, what) : go_astray(w, what);
    return 0;
  });
}
