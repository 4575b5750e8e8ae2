#include "tools/network_bench/library/mpi/ping_pong.hpp"

#include <mpi.h>

#include "tools/network_bench/library/support/clock.hpp"

namespace network_bench {

double ping_pong(bool is_first, int tag, std::span<const std::byte> sent, std::byte* received, std::int64_t n) {
  const int bytes = static_cast<int>(sent.size());
  const int other = is_first ? 1 : 0;
  const double begin = now_ns();
  for (std::int64_t i = 0; i < n; ++i) {
    if (is_first) MPI_Send(sent.data(), bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD);
    MPI_Recv(received, bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!is_first) MPI_Send(sent.data(), bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD);
  }
  return now_ns() - begin;
}

}  // namespace network_bench
