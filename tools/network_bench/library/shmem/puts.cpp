// Puts and gets one by one, and windows of puts that one quiet completes.
#include <algorithm>

#include "tools/network_bench/library/shmem/measures.hpp"
#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

// Puts the message into successive slots of a window, and completes each window. Returns nanoseconds.
double put_windows(symmetric_memory& slots, const message_slots& message, std::size_t bytes, std::int64_t n) {
  const std::int64_t window = n_window(bytes);
  const double begin = now_ns();
  for (std::int64_t left = n; left > 0; left -= window) {
    for (std::int64_t i = 0; i < std::min(window, left); ++i) {
      shmem_putmem_nbi(slots.at(static_cast<std::size_t>(i) * bytes), message.slot(0), bytes, second_pe);
    }
    shmem_quiet();
  }
  return now_ns() - begin;
}

void measure_window(session& all, const std::string& measure, std::size_t bytes) {
  symmetric_memory slots(bytes * static_cast<std::size_t>(n_window(bytes)));
  message_slots message(bytes);
  all.fill(message.span(), measure);
  all.measure(
      {.measure = measure, .mode = "one quiet", .bytes = bytes, .is_pipelined = true},
      [&](std::int64_t n) {
        return all.is_first() ? put_windows(slots, message, bytes, n) / static_cast<double>(n) : 0.0;
      },
      [&] { return all.is_first() || all.has_arrived(slots.span(bytes)); });
}

}  // namespace

void measure_put(session& all) {
  for (const std::size_t bytes : all.given().sizes) {
    symmetric_memory slot(bytes);
    message_slots message(bytes);
    all.fill(message.span(), "put");
    all.measure(
        {"put", "quiet", bytes},
        [&](std::int64_t n) {
          const double begin = now_ns();
          for (std::int64_t i = 0; all.is_first() && i < n; ++i) {
            shmem_putmem(slot.at(0), message.slot(0), bytes, second_pe);
            shmem_quiet();
          }
          return (now_ns() - begin) / static_cast<double>(n);
        },
        [&] { return all.is_first() || all.has_arrived(slot.span(bytes)); });
  }
}

void measure_get(session& all) {
  for (const std::size_t bytes : all.given().sizes) {
    symmetric_memory slot(bytes);
    all.fill(slot.span(bytes), "get");
    barrier_all();
    message_slots received(bytes);
    all.measure(
        {"get", "blocking", bytes},
        [&](std::int64_t n) {
          const double begin = now_ns();
          for (std::int64_t i = 0; all.is_first() && i < n; ++i) {
            shmem_getmem(received.slot(0), slot.at(0), bytes, second_pe);
          }
          return (now_ns() - begin) / static_cast<double>(n);
        },
        [&] { return !all.is_first() || all.has_arrived(received.span()); });
  }
}

void measure_put_bandwidth(session& all) {
  for (const std::size_t bytes : all.given().sizes) measure_window(all, "put_bandwidth", bytes);
}

void measure_put_rate(session& all) { measure_window(all, "put_rate", 8); }

}  // namespace network_bench
