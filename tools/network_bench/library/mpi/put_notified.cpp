// A put after which the target sees a flag: half of a round trip.
#include "tools/network_bench/library/mpi/exposed_memory.hpp"
#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/support/half_round_trip.hpp"
#include "tools/network_bench/library/support/memory.hpp"
#include "tools/network_bench/library/support/polite_wait.hpp"

namespace network_bench {
namespace {

using set_flag = void (*)(const std::uint64_t& value, int rank, MPI_Win window);

void put_flag(const std::uint64_t& value, int rank, MPI_Win window) {
  MPI_Put(&value, 1, MPI_UINT64_T, rank, exposed_memory::word_place(), 1, MPI_UINT64_T, window);
}

void accumulate_flag(const std::uint64_t& value, int rank, MPI_Win window) {
  MPI_Accumulate(&value, 1, MPI_UINT64_T, rank, exposed_memory::word_place(), 1, MPI_UINT64_T, MPI_REPLACE, window);
}

// Lets the library serve the other process's calls. No message is on its way, so none is found.
void progress() {
  int is_there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

// False if the library offers no memory for it.
bool measure_size(session& all, const char* mode, set_flag set, std::size_t bytes) {
  exposed_memory memory(bytes);
  if (!memory.fault().empty()) {
    all.print(json_line().text("measure", "put_notified").text("left_out", memory.fault()));
    return false;
  }
  message_slots message(bytes);
  all.fill(message.span(), "put_notified");
  const int other = all.is_first() ? 1 : 0;
  const int n_bytes = static_cast<int>(bytes);
  std::uint64_t round = 0;
  const auto put_and_notify = [&] {
    MPI_Put(message.slot(0), n_bytes, MPI_BYTE, other, exposed_memory::message_place(), n_bytes, MPI_BYTE,
            memory.window());
    MPI_Win_flush(other, memory.window());  // or the flag might overtake the message
    set(round, other, memory.window());
    MPI_Win_flush(other, memory.window());
  };
  const auto wait = [&] {
    polite_wait([&] {
      if (memory.word() >= round) return true;
      progress();
      return false;
    });
  };
  all.measure(
      {"put_notified", mode, bytes},
      [&](std::int64_t n) { return half_round_trip_ns(all.is_first(), n, round, put_and_notify, wait); },
      [&] { return all.has_arrived(memory.messages(bytes)); });
  return true;
}

}  // namespace

void measure_put_notified(session& all) {
  for (const std::size_t bytes : all.given().sizes) {
    if (!measure_size(all, "flush, put flag", put_flag, bytes)) return;
    measure_size(all, "flush, accumulate flag", accumulate_flag, bytes);
  }
}

}  // namespace network_bench
