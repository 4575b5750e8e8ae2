// The four modes of sends, blocking and nonblocking, to receives that are already posted.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

constexpr int mode_tag = 0;
constexpr int control_tag = 1;

struct send_mode {
  const char* blocking_name;
  decltype(&MPI_Send) blocking;
  const char* nonblocking_name;
  decltype(&MPI_Isend) nonblocking;
};
const std::array<send_mode, 4> send_modes = {{
    {"standard blocking", MPI_Send, "standard nonblocking", MPI_Isend},
    {"synchronous blocking", MPI_Ssend, "synchronous nonblocking", MPI_Issend},
    {"ready blocking", MPI_Rsend, "ready nonblocking", MPI_Irsend},
    {"buffered blocking", MPI_Bsend, "buffered nonblocking", MPI_Ibsend},
}};

using send_one = std::function<void(const std::byte* message, std::size_t bytes)>;

send_one blocking(const send_mode& mode) {
  return [call = mode.blocking](const std::byte* message, std::size_t bytes) {
    call(message, static_cast<int>(bytes), MPI_BYTE, 1, mode_tag, MPI_COMM_WORLD);
  };
}

send_one nonblocking(const send_mode& mode) {
  return [call = mode.nonblocking](const std::byte* message, std::size_t bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    call(message, static_cast<int>(bytes), MPI_BYTE, 1, mode_tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
}

// Memory for the buffered sends of a window. MPI_Buffer_detach waits until all of them have left it.
class buffered_sends {
public:
  buffered_sends(std::size_t bytes, std::int64_t n)
      : memory_((bytes + MPI_BSEND_OVERHEAD + sizeof(std::max_align_t)) * static_cast<std::size_t>(n)) {}
  void attach() { MPI_Buffer_attach(memory_.data(), static_cast<int>(memory_.size())); }
  void detach() {
    void* memory = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(&memory, &bytes);
  }

private:
  std::vector<std::byte> memory_;
};

// Sends windows of messages. Returns the nanoseconds from each window's first send until its acknowledgement, summed up.
double send_windows(const send_one& send, const std::byte* message, std::size_t bytes, std::int64_t n) {
  const std::int64_t window = n_window(bytes);
  buffered_sends buffer(bytes, std::min(window, n));
  double spent_ns = 0;
  for (std::int64_t left = n; left > 0; left -= window) {
    buffer.attach();
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, control_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // all receives are posted
    const double begin = now_ns();
    for (std::int64_t i = 0; i < std::min(window, left); ++i) send(message, bytes);
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, control_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    spent_ns += now_ns() - begin;
    buffer.detach();
  }
  return spent_ns;
}

void receive_windows(message_slots& memory, std::size_t bytes, std::int64_t n) {
  const std::int64_t window = n_window(bytes);
  std::vector<MPI_Request> requests(static_cast<std::size_t>(window), MPI_REQUEST_NULL);
  for (std::int64_t left = n; left > 0; left -= window) {
    const std::int64_t n_now = std::min(window, left);
    for (std::int64_t i = 0; i < n_now; ++i) {
      MPI_Irecv(memory.slot(i), static_cast<int>(bytes), MPI_BYTE, 0, mode_tag, MPI_COMM_WORLD,
                &requests[static_cast<std::size_t>(i)]);
    }
    MPI_Send(nullptr, 0, MPI_BYTE, 0, control_tag, MPI_COMM_WORLD);
    MPI_Waitall(static_cast<int>(n_now), requests.data(), MPI_STATUSES_IGNORE);
    MPI_Send(nullptr, 0, MPI_BYTE, 0, control_tag, MPI_COMM_WORLD);
  }
}

void measure_mode(session& all, const char* name, const send_one& send, std::size_t bytes) {
  message_slots memory(bytes, all.is_first() ? 1 : n_window(bytes));
  if (all.is_first()) all.fill(memory.span(), "send_modes");
  all.measure(
      {.measure = "send_modes", .mode = name, .bytes = bytes, .is_pipelined = true},
      [&](std::int64_t n) {
        if (all.is_first()) return send_windows(send, memory.slot(0), bytes, n) / static_cast<double>(n);
        receive_windows(memory, bytes, n);
        return 0.0;
      },
      [&] { return all.is_first() || all.has_arrived(memory.span()); });
}

}  // namespace

void measure_send_modes(session& all) {
  for (const std::size_t bytes : all.given().sizes) {
    for (const send_mode& mode : send_modes) {
      measure_mode(all, mode.blocking_name, blocking(mode), bytes);
      measure_mode(all, mode.nonblocking_name, nonblocking(mode), bytes);
    }
  }
}

}  // namespace network_bench
