// Goal: conveyors and actors keep their promises if links hand out their room in stretches, as outboxes of many links
// do. Method: every claim in the simulator with hostile conditions, where all outboxes have stretches of one item up to
// several buffers; over one to three hops, and in some seeds with a latency limit.
// labels: sim
// timeout: 300
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "test/contract/claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {

using namespace internal;
namespace {

settings squeezed(std::uint64_t seed, const claim& c) {
  const std::int64_t n_hops = 1 + static_cast<std::int64_t>(seed % 3);
  // A tag next to the largest item.
  settings chosen = hostile(seed, {.n_mailboxes = static_cast<std::size_t>(n_hops) * c.n_streams,
                                   .slot_bytes = c.slot_bytes + (n_hops == 1 ? 0 : 64)});
  random_engine random(seed, 78);
  chosen.n_hops.value = n_hops;
  chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(4));
  if (random.below(4) == 0) chosen.max_latency_us.value = 1 + static_cast<std::int64_t>(random.below(50));
  return chosen;
}

// Some divide a line, some are a few items long; none is a multiple of most sizes.
fetch_ahead short_stretches(std::uint64_t seed) {
  random_engine random(seed, 79);
  const std::size_t bytes = 1 + random.below(1 + (std::size_t{8} << random.below(7)));
  return {.n_links_min = 1, .bytes_min = bytes, .bytes_max = bytes, .bytes_of_all_links = bytes};
}

void keep_promises(const claim& c, std::uint64_t n_seeds) {
  for_seeds(n_seeds, [&](std::uint64_t seed) {
    run_job(squeezed(seed, c), [&](world& w) {
      w.message_exchange().fetch(short_stretches(seed));
      c.check(w, seed);
    });
  });
}

class fetch_ahead_in_sim : public testing::TestWithParam<claim> {};
TEST_P(fetch_ahead_in_sim, keeps_promises) { keep_promises(GetParam(), 24); }

std::vector<claim> claims_of_conveyors() {
  std::vector<claim> all = conveyor_claims();
  for (const claim& each : kind_claims()) all.push_back(each);
  return all;
}
INSTANTIATE_TEST_SUITE_P(claims, fetch_ahead_in_sim, testing::ValuesIn(claims_of_conveyors()), claim_name{});

// These send through the same outboxes, are four times as many, and some take a second.
class fetch_ahead_of_actors_in_sim : public testing::TestWithParam<claim> {};
TEST_P(fetch_ahead_of_actors_in_sim, keeps_promises) { keep_promises(GetParam(), 5); }
INSTANTIATE_TEST_SUITE_P(claims, fetch_ahead_of_actors_in_sim, testing::ValuesIn(actor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
