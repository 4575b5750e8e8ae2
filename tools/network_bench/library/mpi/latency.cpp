// Half of a round trip of blocking sends.
#include "tools/network_bench/library/mpi/ping_pong.hpp"

#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {

void measure_latency(session& all) {
  for (const std::size_t bytes : all.given().sizes) {
    message_slots sent(bytes);
    message_slots received(bytes);
    all.fill(sent.span(), "latency");
    all.measure(
        {"latency", "send", bytes},
        [&](std::int64_t n) {
          return ping_pong(all.is_first(), 0, sent.span(), received.slot(0), n) / (2.0 * static_cast<double>(n));
        },
        [&] { return all.has_arrived(received.span()); });
  }
}

}  // namespace network_bench
