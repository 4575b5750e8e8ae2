// A put to a PE that does not call the library for a while: whether the put needs its help.
#include <algorithm>
#include <chrono>
#include <thread>

#include "tools/network_bench/library/shmem/measures.hpp"
#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

// 2 ms, or more where an answer takes long.
std::int64_t chosen_absence_ns(session& all, symmetric_memory& word) {
  constexpr std::int64_t n_answers = 5;
  double begin = now_ns();
  for (std::int64_t i = 0; all.is_first() && i <= n_answers; ++i) {
    if (i == 1) begin = now_ns();  // the first one may have opened a connection
    shmem_uint64_g(word.word(), second_pe);
  }
  const double answer_ns = (now_ns() - begin) / n_answers;
  return all.processes().from_first(static_cast<std::int64_t>(std::max(2e6, 4 * answer_ns)));
}

}  // namespace

void measure_put_to_absent(session& all) {
  constexpr std::size_t bytes = 8;
  symmetric_memory slot(bytes);
  symmetric_memory flag(sizeof(std::uint64_t));
  message_slots message(bytes);
  all.fill(message.span(), "put_to_absent");
  const std::int64_t absence_ns = chosen_absence_ns(all, flag);
  std::uint64_t round = 0;
  const auto time_of_put = [&] {
    // Begins the absence. To complete it here would sometimes last until the absence ends, because the target leaves the
    // library before it has answered.
    shmem_uint64_p(flag.word(), round, second_pe);
    std::this_thread::sleep_for(std::chrono::nanoseconds(absence_ns / 4));
    const double begin = now_ns();
    shmem_putmem(slot.at(0), message.slot(0), bytes, second_pe);
    shmem_quiet();
    return now_ns() - begin;
  };
  const auto be_absent = [&] {
    shmem_uint64_wait_until(flag.word(), SHMEM_CMP_GE, round);
    std::this_thread::sleep_for(std::chrono::nanoseconds(absence_ns));
  };
  all.measure(
      {"put_to_absent", "quiet", bytes},
      [&](std::int64_t n) {
        double spent_ns = 0;
        for (std::int64_t i = 0; i < n; ++i) {
          ++round;
          if (all.is_first()) {
            spent_ns += time_of_put();
          } else {
            be_absent();
          }
        }
        return spent_ns / static_cast<double>(n);
      },
      [&] { return all.is_first() || all.has_arrived(slot.span(bytes)); });
}

}  // namespace network_bench
