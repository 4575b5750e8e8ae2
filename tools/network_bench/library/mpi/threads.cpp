// Pairs of threads, one of each process, that communicate at the same time. Each pair has its own tags.
#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/mpi/ping_pong.hpp"
#include "tools/network_bench/library/mpi/stream.hpp"
#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

// Calls act(thread) in so many threads at once. Returns the nanoseconds until the last one is done.
template <class Act>
double time_of_threads(int n_threads, Act act) {
  std::vector<double> begins(static_cast<std::size_t>(n_threads));
  std::vector<double> ends(begins.size());
  std::barrier all_are_there(n_threads);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < begins.size(); ++thread) {
    threads.emplace_back([&, thread] {
      all_are_there.arrive_and_wait();
      begins[thread] = now_ns();
      act(thread);
      ends[thread] = now_ns();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return std::ranges::max(ends) - std::ranges::min(begins);
}

std::vector<message_slots> memory_of_threads(int n_threads, std::size_t bytes, std::int64_t n_slots) {
  std::vector<message_slots> memory;
  for (int thread = 0; thread < n_threads; ++thread) memory.emplace_back(bytes, n_slots);
  return memory;
}

bool have_arrived(const session& all, const std::vector<message_slots>& memory) {
  return std::ranges::all_of(memory, [&](const message_slots& slots) { return all.has_arrived(slots.span()); });
}

void measure_streams(session& all, const std::string& measure, std::size_t bytes) {
  const int n_threads = all.given().n_threads;
  std::vector<stream> streams;
  for (int thread = 0; thread < n_threads; ++thread) streams.emplace_back(bytes, thread, n_threads);
  const std::vector<message_slots> memory =
      memory_of_threads(n_threads, bytes, all.is_first() ? 1 : streams.front().window);
  for (const message_slots& slots : memory) {
    if (all.is_first()) all.fill(slots.span(), measure);
  }
  all.measure(
      {.measure = measure, .mode = "nonblocking", .bytes = bytes, .n_threads = n_threads, .is_pipelined = true},
      [&](std::int64_t n) {
        const double spent_ns = time_of_threads(n_threads, [&](std::size_t thread) {
          if (all.is_first()) {
            send_stream(streams[thread], memory[thread].slot(0), n);
          } else {
            receive_stream(streams[thread], memory[thread].slot(0), n);
          }
        });
        return spent_ns / static_cast<double>(n * n_threads);
      },
      [&] { return all.is_first() || have_arrived(all, memory); });
}

}  // namespace

void measure_thread_latency(session& all) {
  const int n_threads = all.given().n_threads;
  for (const std::size_t bytes : all.given().sizes) {
    const std::vector<message_slots> sent = memory_of_threads(n_threads, bytes, 1);
    const std::vector<message_slots> received = memory_of_threads(n_threads, bytes, 1);
    for (const message_slots& message : sent) all.fill(message.span(), "thread_latency");
    all.measure(
        {"thread_latency", "send", bytes, "ns", n_threads},
        [&](std::int64_t n) {
          const double spent_ns = time_of_threads(n_threads, [&](std::size_t thread) {
            ping_pong(all.is_first(), static_cast<int>(thread), sent[thread].span(), received[thread].slot(0), n);
          });
          return spent_ns / (2.0 * static_cast<double>(n));
        },
        [&] { return have_arrived(all, received); });
  }
}

void measure_thread_bandwidth(session& all) {
  for (const std::size_t bytes : all.given().sizes) measure_streams(all, "thread_bandwidth", bytes);
}

void measure_thread_rate(session& all) { measure_streams(all, "thread_rate", 8); }

}  // namespace network_bench
