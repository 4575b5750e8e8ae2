// Goal: the contract of every kind of conveyor holds whatever a legal machine does. Method: every claim in
// the simulator, each seed with another number of PEs, other buffers and other hostile conditions.
// labels: sim
// timeout: 180
#include <gtest/gtest.h>

#include "test/support/jobs.hpp"
#include "test/support/kind_claims.hpp"

namespace shoal::test {
namespace {

class kinds_in_sim : public testing::TestWithParam<claim> {};

TEST_P(kinds_in_sim, holds) {
  const claim& c = GetParam();
  for_seeds(60, [&](std::uint64_t seed) {
    run_job(hostile(seed, {.n_mailboxes = c.n_ports, .slot_bytes = c.slot_bytes}), [&](world& w) { c.check(w, seed); });
  });
}

INSTANTIATE_TEST_SUITE_P(claims, kinds_in_sim, testing::ValuesIn(kind_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
