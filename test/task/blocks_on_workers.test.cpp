// Matrices in blocks on several workers: PEs and workers are threads, so that the thread sanitizer sees what borders and factors
// order.
// labels: threads
// processors: 2
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/support/cholesky.hpp"
#include "benchmarks/support/wavefront.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

void on_workers(const job_body& body) {
  for (const std::int64_t n_pes : {1, 3}) {
    for (const std::int64_t n_workers : {2, 4}) {
      SCOPED_TRACE(std::to_string(n_pes) + " PEs with " + std::to_string(n_workers) + " workers");
      settings chosen = on_threads(n_pes);
      chosen.n_workers.value = n_workers;
      run_job(chosen, body);
    }
  }
}

TEST(blocks_on_workers, wavefronts_are_right) {
  on_workers([](world& w) {
    const bench::wavefront texts(9, 20, 0);
    EXPECT_EQ(w.max(texts.by_tasks(w)), texts.by_one_pe());
  });
}

TEST(blocks_on_workers, factors_are_right) {
  on_workers([](world& w) {
    const bench::cholesky matrix(9, 7, 0);
    EXPECT_TRUE(matrix.is_factor(matrix.by_tasks(w), matrix.by_one_pe()));
  });
}

}  // namespace
}  // namespace shoal::test
