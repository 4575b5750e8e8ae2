// Matrices in blocks on PEs, with two workers each, and in the suite with one on all substrates: the forms find what a serial
// program finds.
// pes: 1 2 3 4 7
// env: SHOAL_WORKERS=2
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/support/cholesky.hpp"
#include "benchmarks/support/wavefront.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::test {
namespace {

TEST_ON_PES(blocks, wavefronts_are_right) {
  world& w = world::current();
  for (const std::int64_t n_blocks : {1, 2, 5, 16}) {
    SCOPED_TRACE(std::to_string(n_blocks) + " blocks");
    const bench::wavefront texts(n_blocks, 40, 0);
    EXPECT_EQ(w.max(texts.by_tasks(w)), texts.by_one_pe());
    EXPECT_EQ(w.max(texts.by_supersteps(w)), texts.by_one_pe());
  }
}

// The larger ones have columns that are longer than a buffer.
TEST_ON_PES(blocks, factors_are_right) {
  world& w = world::current();
  for (const std::int64_t n_blocks : {1, 2, 5, 11}) {
    SCOPED_TRACE(std::to_string(n_blocks) + " blocks");
    const bench::cholesky matrix(n_blocks, 30, 0);
    const std::vector<double> expected = matrix.by_one_pe();
    EXPECT_TRUE(matrix.is_factor(matrix.by_tasks(w), expected));
    EXPECT_TRUE(matrix.is_factor(matrix.by_supersteps(w), expected));
  }
}

}  // namespace
}  // namespace shoal::test
