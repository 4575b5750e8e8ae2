#include "tools/network_bench/library/mpi/stream.hpp"

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

constexpr int sender = 0;
constexpr int receiver = 1;

void tell(int rank, const stream& of) { MPI_Send(nullptr, 0, MPI_BYTE, rank, of.control_tag, MPI_COMM_WORLD); }
void hear(int rank, const stream& of) {
  MPI_Recv(nullptr, 0, MPI_BYTE, rank, of.control_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace

stream::stream(std::size_t message_bytes, int number, int n_streams)
    : bytes(message_bytes), data_tag(2 * number), control_tag(2 * number + 1) {
  constexpr std::int64_t bytes_ahead_max = std::int64_t{32} << 20;
  const std::size_t bytes_at_once = bytes * static_cast<std::size_t>(n_streams);
  window = n_window(bytes_at_once);
  n_windows_ahead =
      std::clamp<std::int64_t>(bytes_ahead_max / (window * static_cast<std::int64_t>(bytes_at_once)), 1, 16);
}

double send_stream(const stream& of, const std::byte* message, std::int64_t n) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(of.window), MPI_REQUEST_NULL);
  std::int64_t n_acknowledged = 0;
  hear(receiver, of);  // its receives are posted
  const double begin = now_ns();
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t slot = i % of.window;
    if (slot == 0 && i / of.window - n_acknowledged >= of.n_windows_ahead) {
      hear(receiver, of);
      ++n_acknowledged;
    }
    MPI_Request& request = requests[static_cast<std::size_t>(slot)];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(message, static_cast<int>(of.bytes), MPI_BYTE, receiver, of.data_tag, MPI_COMM_WORLD, &request);
  }
  MPI_Waitall(static_cast<int>(of.window), requests.data(), MPI_STATUSES_IGNORE);
  const std::int64_t n_windows = (n + of.window - 1) / of.window;
  for (; n_acknowledged < n_windows; ++n_acknowledged) hear(receiver, of);
  return now_ns() - begin;
}

void receive_stream(const stream& of, std::byte* slots, std::int64_t n) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(of.window), MPI_REQUEST_NULL);
  const auto post = [&](std::int64_t i) {
    const auto slot = static_cast<std::size_t>(i % of.window);
    MPI_Irecv(slots + slot * of.bytes, static_cast<int>(of.bytes), MPI_BYTE, sender, of.data_tag, MPI_COMM_WORLD,
              &requests[slot]);
  };
  for (std::int64_t i = 0; i < std::min(n, of.window); ++i) post(i);
  tell(sender, of);
  for (std::int64_t i = 0; i < n; ++i) {
    MPI_Wait(&requests[static_cast<std::size_t>(i % of.window)], MPI_STATUS_IGNORE);
    if (i + of.window < n) post(i + of.window);
    const bool is_end_of_window = (i + 1) % of.window == 0 || i + 1 == n;
    if (is_end_of_window) tell(sender, of);
  }
}

}  // namespace network_bench
