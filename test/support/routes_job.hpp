/// Settings under which claims are checked on routes of two and three hops, in the simulator.
#pragma once

#include "shoal/base/random.hpp"
#include "test/support/claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {

/// Checks a claim with each of the seeds: another route, node size, codec and number of PEs, other buffers and other
/// hostile conditions.
inline void check_on_routes(const claim& c, std::uint64_t n_seeds, std::int64_t n_pes_max) {
  for_seeds(n_seeds, [&](std::uint64_t seed) {
    // A tag beside the largest item, and a port for each hop.
    settings chosen =
        hostile(seed, {.n_mailboxes = 3 * c.n_ports, .slot_bytes = c.slot_bytes + 64, .n_pes_max = n_pes_max});
    random_engine random(seed, 77);
    chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(5));
    chosen.n_hops.value = 2 + static_cast<std::int64_t>(random.below(2));
    constexpr const char* codecs[] = {"none", "best", "squeeze", "delta"};
    chosen.codec.value = codecs[random.below(4)];
    chosen.ns_per_byte.value = 1;
    run_job(chosen, [&](world& w) { c.check(w, seed); });
  });
}

}  // namespace shoal::test
