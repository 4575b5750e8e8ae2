// The conveyor's contract on PEs that are threads: the same rings as between processes, but a thread
// sanitizer sees both ends.
// labels: threads
// processors: 2
// timeout: 120
#include <gtest/gtest.h>

#include "test/support/claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

class conveyor_on_threads : public testing::TestWithParam<claim> {};

TEST_P(conveyor_on_threads, holds) {
  const claim& c = GetParam();
  for (const std::int64_t n_pes : {1, 2, 4}) {
    for (const bool is_tight : {false, true}) {
      SCOPED_TRACE(std::to_string(n_pes) + " PEs, " + (is_tight ? "tight" : "roomy"));
      run_job(on_threads(n_pes, is_tight, c.n_ports), [&](world& w) { c.check(w, 1); });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(claims, conveyor_on_threads, testing::ValuesIn(conveyor_claims()), claim_name{});

}  // namespace
}  // namespace shoal::test
