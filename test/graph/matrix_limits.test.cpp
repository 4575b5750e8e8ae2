// Goal: a matrix that cannot be built ends the job with one line. Method: simulated jobs that end by it.
#include <gtest/gtest.h>

#include <cstdint>

#include "shoal/graph/matrix_builder.hpp"
#include "test/support/jobs.hpp"

namespace shoal {
namespace {

TEST(matrix_limits_death_test, rows_times_columns_that_do_not_fit_a_word_are_refused) {
  const std::int64_t n_rows = std::int64_t{1} << 33;
  const std::int64_t n_columns = (std::int64_t{1} << 32) + 1;
  EXPECT_EXIT(test::run_job(test::simulated(2),
                            [&](world& w) {
                              w.finish([&] {
                                matrix_builder<entry> builder(w, {layout::block, n_rows, w.n_pes()}, n_columns);
                              });
                            }),
              testing::ExitedWithCode(2),
              "shoal: PE .: a matrix with 4294967297 columns and 4294967296 rows on a PE is too large: their "
              "product must stay below 2\\^63; use more PEs");
}

}  // namespace
}  // namespace shoal
