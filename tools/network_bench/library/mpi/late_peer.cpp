#include "tools/network_bench/library/mpi/late_peer.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tools/network_bench/library/mpi/ping_pong.hpp"

namespace network_bench {
namespace {

constexpr int tag = 2;

}  // namespace

std::int64_t chosen_absence_ns(session& all) {
  constexpr std::int64_t n_round_trips = 5;
  ping_pong(all.is_first(), tag, {}, nullptr, n_round_trips);
  const double round_trip_ns = ping_pong(all.is_first(), tag, {}, nullptr, n_round_trips) / n_round_trips;
  return all.processes().from_first(static_cast<std::int64_t>(std::max(2e6, 4 * round_trip_ns)));
}

// The absence begins when the second message arrives, so it ends no earlier than `absence_ns` after that was sent.
void begin_absence(const session& all, std::int64_t absence_ns) {
  if (all.is_first()) {
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(nullptr, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  } else {
    MPI_Send(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::this_thread::sleep_for(std::chrono::nanoseconds(absence_ns));
  }
}

}  // namespace network_bench
