// How long a blocking send takes whose receive is posted late: up to which size the library takes the message at once.
#include <mpi.h>

#include "tools/network_bench/library/mpi/late_peer.hpp"
#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

constexpr int data_tag = 0;

// Returns the nanoseconds of the send in the first process.
double send_to_late_receiver(const session& all, message_slots& message, std::size_t bytes, std::int64_t absence_ns) {
  const int n = static_cast<int>(bytes);
  begin_absence(all, absence_ns);
  const double begin = now_ns();
  if (all.is_first()) {
    MPI_Send(message.slot(0), n, MPI_BYTE, 1, data_tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(message.slot(0), n, MPI_BYTE, 0, data_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return now_ns() - begin;
}

void measure_size(session& all, std::size_t bytes, std::int64_t absence_ns) {
  message_slots message(bytes);
  if (all.is_first()) all.fill(message.span(), "eager");
  all.measure(
      {"eager", "late receiver", bytes},
      [&](std::int64_t n) {
        double sum_ns = 0;
        for (std::int64_t i = 0; i < n; ++i) sum_ns += send_to_late_receiver(all, message, bytes, absence_ns);
        return sum_ns / static_cast<double>(n);
      },
      [&] { return all.is_first() || all.has_arrived(message.span()); });
}

// Whether a send of this size returns long before its receive is posted. Interruptions make sends longer, never shorter,
// so one quick send of three is enough.
bool is_eager(session& all, message_slots& message, std::size_t bytes, std::int64_t absence_ns) {
  constexpr int n_trials = 3;
  for (int trial = 0; trial < n_trials; ++trial) {
    const bool is_quick =
        send_to_late_receiver(all, message, bytes, absence_ns) < 0.5 * static_cast<double>(absence_ns);
    if (all.processes().from_first(is_quick ? 1 : 0) != 0) return true;
  }
  return false;
}

// The largest eager size up to `most`, by bisection. Zero bytes are taken to be eager.
std::size_t largest_eager(session& all, std::size_t most, std::int64_t absence_ns) {
  message_slots message(most);
  if (is_eager(all, message, most, absence_ns)) return most;
  std::size_t eager = 0;
  std::size_t waiting = most;
  while (waiting - eager > 1) {
    const std::size_t middle = eager + (waiting - eager) / 2;
    (is_eager(all, message, middle, absence_ns) ? eager : waiting) = middle;
  }
  return eager;
}

}  // namespace

void measure_eager(session& all) {
  const std::int64_t absence_ns = chosen_absence_ns(all);
  for (const std::size_t bytes : all.given().sizes) measure_size(all, bytes, absence_ns);
  const std::size_t most = all.given().largest();
  const std::size_t limit = largest_eager(all, most, absence_ns);
  // If the largest size is eager, the limit is there or beyond.
  all.print(json_line()
                .text("measure", "eager_limit")
                .number("bytes", static_cast<std::int64_t>(limit))
                .truth("at_least", limit == most));
}

}  // namespace network_bench
