// One-sided calls in an epoch of MPI_Win_lock_all.
#include <algorithm>
#include <chrono>
#include <thread>

#include "tools/network_bench/library/mpi/exposed_memory.hpp"
#include "tools/network_bench/library/mpi/late_peer.hpp"
#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

constexpr int target = 1;

bool is_usable(session& all, const exposed_memory& memory, const std::string& measure) {
  if (!memory.fault().empty()) {
    all.print(json_line().text("measure", measure).text("left_out", memory.fault()));
  }
  return memory.fault().empty();
}

// Calls `act` n times in the first process. Returns the nanoseconds of one call.
template <class Act>
double time_of_each(session& all, std::int64_t n, Act act) {
  if (!all.is_first()) return 0;
  const double begin = now_ns();
  for (std::int64_t i = 0; i < n; ++i) act();
  return (now_ns() - begin) / static_cast<double>(n);
}

void put(const exposed_memory& memory, const message_slots& message, std::size_t bytes, std::size_t offset) {
  const int n = static_cast<int>(bytes);
  MPI_Put(message.slot(0), n, MPI_BYTE, target, exposed_memory::message_place(offset), n, MPI_BYTE, memory.window());
}

// Puts the message into successive slots of a window, and completes each window by one flush.
void put_windows(const exposed_memory& memory, const message_slots& message, std::size_t bytes, std::int64_t n) {
  const std::int64_t window = n_window(bytes);
  for (std::int64_t left = n; left > 0; left -= window) {
    for (std::int64_t i = 0; i < std::min(window, left); ++i) {
      put(memory, message, bytes, static_cast<std::size_t>(i) * bytes);
    }
    MPI_Win_flush(target, memory.window());
  }
}

void measure_window(session& all, const std::string& measure, std::size_t bytes) {
  exposed_memory memory(bytes * static_cast<std::size_t>(n_window(bytes)));
  if (!is_usable(all, memory, measure)) return;
  message_slots message(bytes);
  all.fill(message.span(), measure);
  all.measure(
      {.measure = measure, .mode = "one flush", .bytes = bytes, .is_pipelined = true},
      [&](std::int64_t n) {
        return time_of_each(all, 1, [&] { put_windows(memory, message, bytes, n); }) / static_cast<double>(n);
      },
      [&] { return all.is_first() || all.has_arrived(memory.messages(bytes)); });
}

}  // namespace

void measure_put(session& all) {
  for (const std::size_t bytes : all.given().sizes) {
    exposed_memory memory(bytes);
    if (!is_usable(all, memory, "put")) return;
    message_slots message(bytes);
    all.fill(message.span(), "put");
    const auto put_and_flush = [&] {
      put(memory, message, bytes, 0);
      MPI_Win_flush(target, memory.window());
    };
    all.measure(
        {"put", "flush", bytes}, [&](std::int64_t n) { return time_of_each(all, n, put_and_flush); },
        [&] { return all.is_first() || all.has_arrived(memory.messages(bytes)); });
  }
}

void measure_put_to_absent(session& all) {
  constexpr std::size_t bytes = 8;
  exposed_memory memory(bytes);
  if (!is_usable(all, memory, "put_to_absent")) return;
  message_slots message(bytes);
  all.fill(message.span(), "put_to_absent");
  const std::int64_t absence_ns = chosen_absence_ns(all);
  all.measure(
      {"put_to_absent", "flush", bytes},
      [&](std::int64_t n) {
        double spent_ns = 0;
        for (std::int64_t i = 0; i < n; ++i) {
          begin_absence(all, absence_ns);
          if (all.is_first()) std::this_thread::sleep_for(std::chrono::nanoseconds(absence_ns / 4));  // it has begun
          spent_ns += time_of_each(all, 1, [&] {
            put(memory, message, bytes, 0);
            MPI_Win_flush(target, memory.window());
          });
        }
        return spent_ns / static_cast<double>(n);
      },
      [&] { return all.is_first() || all.has_arrived(memory.messages(bytes)); });
}

void measure_get(session& all) {
  for (const std::size_t bytes : all.given().sizes) {
    exposed_memory memory(bytes);
    if (!is_usable(all, memory, "get")) return;
    all.fill(memory.messages(bytes), "get");
    memory.publish();
    MPI_Barrier(MPI_COMM_WORLD);
    message_slots received(bytes);
    const auto get_and_flush = [&] {
      const int n = static_cast<int>(bytes);
      MPI_Get(received.slot(0), n, MPI_BYTE, target, exposed_memory::message_place(), n, MPI_BYTE, memory.window());
      MPI_Win_flush(target, memory.window());
    };
    all.measure(
        {"get", "flush", bytes}, [&](std::int64_t n) { return time_of_each(all, n, get_and_flush); },
        [&] { return !all.is_first() || all.has_arrived(received.span()); });
  }
}

void measure_put_bandwidth(session& all) {
  for (const std::size_t bytes : all.given().sizes) measure_window(all, "put_bandwidth", bytes);
}

void measure_put_rate(session& all) { measure_window(all, "put_rate", 8); }

void measure_fetch_add(session& all) {
  exposed_memory memory(0);
  if (!is_usable(all, memory, "fetch_add")) return;
  const std::uint64_t step = all.spoils("fetch_add") ? 2 : 1;
  std::uint64_t n_added = 0;
  bool is_right = true;
  const auto fetch_add = [&] {
    std::uint64_t before = 0;
    MPI_Fetch_and_op(&step, &before, MPI_UINT64_T, target, exposed_memory::word_place(), MPI_SUM, memory.window());
    MPI_Win_flush(target, memory.window());
    is_right = is_right && before == n_added++;
  };
  all.measure(
      {"fetch_add", "fetch_and_op", sizeof step}, [&](std::int64_t n) { return time_of_each(all, n, fetch_add); },
      [&] { return is_right; });
}

void measure_add(session& all) {
  exposed_memory memory(0);
  if (!is_usable(all, memory, "add")) return;
  const std::uint64_t step = all.spoils("add") ? 2 : 1;
  std::uint64_t n_added = 0;
  const auto add = [&] {
    MPI_Accumulate(&step, 1, MPI_UINT64_T, target, exposed_memory::word_place(), 1, MPI_UINT64_T, MPI_SUM,
                   memory.window());
    MPI_Win_flush(target, memory.window());
  };
  all.measure(
      {"add", "accumulate, flush", sizeof step},
      [&](std::int64_t n) {
        n_added += static_cast<std::uint64_t>(n);
        return time_of_each(all, n, add);
      },
      [&] { return all.is_first() || memory.word() == n_added; });
}

}  // namespace network_bench
