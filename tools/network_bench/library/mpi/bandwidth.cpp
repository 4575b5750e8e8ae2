// The time of a message where a window of nonblocking sends is in flight.
#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/mpi/stream.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

void measure_stream(session& all, const std::string& measure, std::size_t bytes) {
  const stream messages(bytes);
  // The second process has a slot for each message that may arrive before it looks; the first sends one over and over.
  message_slots memory(bytes, all.is_first() ? 1 : messages.window);
  if (all.is_first()) all.fill(memory.span(), measure);
  all.measure(
      {.measure = measure, .mode = "nonblocking", .bytes = bytes, .is_pipelined = true},
      [&](std::int64_t n) {
        if (all.is_first()) return send_stream(messages, memory.slot(0), n) / static_cast<double>(n);
        receive_stream(messages, memory.slot(0), n);
        return 0.0;
      },
      [&] { return all.is_first() || all.has_arrived(memory.span()); });
}

}  // namespace

void measure_bandwidth(session& all) {
  for (const std::size_t bytes : all.given().sizes) measure_stream(all, "bandwidth", bytes);
}

void measure_rate(session& all) { measure_stream(all, "rate", 8); }

}  // namespace network_bench
