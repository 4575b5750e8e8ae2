#include "shoal/substrate/internal/sim/sim.hpp"

#include <cinttypes>
#include <cstdio>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/substrate/internal/sim/simulation.hpp"

namespace shoal::internal::sim {
int run(const settings& chosen, const pe_body& body) {
  refuse_exit();
  simulation whole(chosen);
  const int status = whole.run(body);
  if (chosen.stats.value == statistics_form::table) {
    std::fprintf(stderr,
                 "shoal: sim: %" PRId64 " PEs, seed %" PRIu64 ": %" PRIu64 " virtual ns, %" PRIu64 " events, %" PRIu64
                 " switches, trace %016" PRIx64 "\n",
                 chosen.n_pes.value, chosen.sim.value.seed, whole.now_ns(), whole.n_events(), whole.n_switches(),
                 whole.trace_hash());
  }
  return status;
}

}  // namespace shoal::internal::sim
