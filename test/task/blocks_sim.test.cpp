// Matrices in blocks: forms that wait for one another in other ways find the same, under hostile conditions and on several workers.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "benchmarks/support/cholesky.hpp"
#include "benchmarks/support/wavefront.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

// Mailboxes of closures, and of answers.
constexpr needs of_blocks{.n_mailboxes = 4};

TEST(blocks_sim, wavefronts_are_right_under_hostile_conditions) {
  for_seeds(300, [](std::uint64_t seed) {
    run_job(hostile(seed, of_blocks), [seed](world& w) {
      const bench::wavefront texts(1 + static_cast<std::int64_t>(seed % 7), 1 + static_cast<std::int64_t>(seed % 11),
                                   0);
      EXPECT_EQ(w.max(texts.by_tasks(w)), texts.by_one_pe());
      EXPECT_EQ(w.max(texts.by_supersteps(w)), texts.by_one_pe());
    });
  });
}

TEST(blocks_sim, factors_are_right_under_hostile_conditions) {
  for_seeds(300, [](std::uint64_t seed) {
    run_job(hostile(seed, of_blocks), [seed](world& w) {
      const bench::cholesky matrix(1 + static_cast<std::int64_t>(seed % 7), 1 + static_cast<std::int64_t>(seed % 5), 0);
      const std::vector<double> expected = matrix.by_one_pe();
      EXPECT_TRUE(matrix.is_factor(matrix.by_tasks(w), expected));
      EXPECT_TRUE(matrix.is_factor(matrix.by_supersteps(w), expected));
    });
  });
}

// The answer that all forms are compared with.
TEST(blocks_sim, a_factor_times_itself_is_the_matrix) {
  constexpr std::size_t n = 12;
  const std::vector<double> factor = bench::cholesky(4, 3, 0).by_one_pe();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += factor[i * n + k] * factor[j * n + k];
      EXPECT_NEAR(sum, bench::cholesky::element(i, j), 1e-12);
    }
  }
}

}  // namespace
}  // namespace shoal::test
