// Many small messages to a receiver that is sometimes slow: does memory grow? For soak.test.py.
//
//   network.soak N     each PE sends N / P messages to the next PE
//
// PE 0 sleeps for a millisecond after every so many of them, which makes it several times as slow as its sender. Prints
// how much resident memory each PE has gained since before the first message, and since a tenth had arrived, and the
// budget of its buffers; ends with status 1 if any PE gained more than that.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "shoal/base/parse.hpp"
#include "shoal/shoal.hpp"

namespace {

constexpr std::int64_t n_per_sleep = 20'000;

std::int64_t resident_bytes() {
  std::ifstream statistics("/proc/self/statm");
  std::int64_t n_pages = 0;
  std::int64_t n_resident = 0;
  statistics >> n_pages >> n_resident;
  return n_resident * ::getpagesize();
}

void sleep_a_little() {
  const timespec millisecond{0, 1'000'000};
  ::nanosleep(&millisecond, nullptr);
}

struct soaked {
  std::int64_t n_received = 0;
  std::int64_t bytes_before = 0;
  std::int64_t bytes_at_tenth = 0;
  std::int64_t bytes_most = 0;
};

soaked soak(shoal::world& w, std::int64_t n_each) {
  soaked result;
  result.bytes_before = resident_bytes();
  const bool is_slow = w.my_pe() == 0;
  shoal::actor taker{w, [&](std::int64_t) {
                       ++result.n_received;
                       if (result.n_received % n_per_sleep != 0) return;
                       if (is_slow) sleep_a_little();
                       const std::int64_t now = resident_bytes();
                       result.bytes_most = std::max(result.bytes_most, now);
                       if (result.n_received <= n_each / 10) result.bytes_at_tenth = result.bytes_most;
                     }};
  const shoal::pe_id next = (w.my_pe() + 1) % w.n_pes();
  w.finish([&] {
    for (std::int64_t i = 0; i < n_each; ++i) taker.send(next, i);
  });
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  const char* const memory = std::getenv("SHOAL_MEMORY");
  if (memory == nullptr) return std::fputs("set SHOAL_MEMORY to the budget\n", stderr), 2;
  const auto budget = static_cast<std::int64_t>(shoal::parse_bytes(memory, "SHOAL_MEMORY"));
  return shoal::run(argc, argv, [&](shoal::world& w) {
    const std::int64_t n_each = n / w.n_pes();
    const soaked result = soak(w, n_each);
    const std::int64_t growth = result.bytes_most - result.bytes_before;
    const std::int64_t late_growth = result.bytes_most - result.bytes_at_tenth;
    const bool is_well = result.n_received == n_each && result.bytes_at_tenth > 0 && growth < budget;
    std::printf(
        "PE %d: %lld messages, %lld KiB resident before, %lld KiB more at most, %lld of them after a tenth, "
        "budget %lld KiB\n",
        static_cast<int>(w.my_pe()), static_cast<long long>(result.n_received),
        static_cast<long long>(result.bytes_before / 1024), static_cast<long long>(growth / 1024),
        static_cast<long long>(late_growth / 1024), static_cast<long long>(budget / 1024));
    return is_well ? 0 : 1;
  });
}
