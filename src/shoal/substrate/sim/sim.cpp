#include "shoal/substrate/sim/sim.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "shoal/substrate/sim/simulation.hpp"

namespace shoal::sim {
namespace {

// The simulation that this thread is inside of, for the handler of std::exit.
constinit thread_local simulation* running_here = nullptr;

// A program that calls exit on the first PE to get there would end all PEs with success.
void refuse_exit() {
  if (running_here != nullptr) running_here->report_exit();
}

}  // namespace

int run(const settings& chosen, const pe_body& body) {
  [[maybe_unused]] static const int registered = std::atexit(refuse_exit);
  simulation whole(chosen);
  simulation* const outer = std::exchange(running_here, &whole);
  const int status = whole.run(body);
  running_here = outer;
  if (chosen.stats.value) {
    std::fprintf(stderr,
                 "shoal: sim: %" PRId64 " PEs, seed %" PRIu64 ": %" PRIu64 " virtual ns, %" PRIu64
                 " events, %" PRIu64 " switches, trace %016" PRIx64 "\n",
                 chosen.n_pes.value, chosen.sim.value.seed, whole.now_ns(), whole.n_events(),
                 whole.n_switches(), whole.trace_hash());
  }
  return status;
}

}  // namespace shoal::sim
