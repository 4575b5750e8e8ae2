// One superstep of messages from all to all that lasts for a while, for paused.test.py, which stops PE 1 in the middle
// of it. PE 1 prints when it has begun, and its process id.
//
//   network.paused SECONDS
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "shoal/shoal.hpp"

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  return shoal::run(argc, argv, [&](shoal::world& w) {
    std::uint64_t n_received = 0;
    std::uint64_t n_sent = 0;
    shoal::actor counter{w, [&](std::uint64_t n) { n_received += n; }};
    w.finish([&] {
      if (w.my_pe() == 1) {
        std::printf("PE 1 is process %d\n", static_cast<int>(::getpid()));
        std::fflush(stdout);
      }
      const std::uint64_t end_ns = w.backend().now_ns() + static_cast<std::uint64_t>(seconds * 1e9);
      while (w.backend().now_ns() < end_ns) {
        for (shoal::pe_id to = 0; to < w.n_pes(); ++to) {
          counter.send(to, 1U);
          ++n_sent;
        }
      }
    });
    const std::uint64_t n_lost = w.sum(n_sent) - w.sum(n_received);
    if (w.my_pe() == 0) std::printf("%llu lost\n", static_cast<unsigned long long>(n_lost));
    return n_lost == 0 ? 0 : 1;
  });
}
