// Goal: PEs that fail at the same moment always give exactly one report. Method: threads of one process that all throw
// after a barrier, many times.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "shoal/base/setup_error.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

TEST(failures, at_once_give_one_report) {
  for (int i = 0; i < 50; ++i) {
    const outcome end = outcome_of(on_threads(4), [](world& w) {
      w.barrier();
      throw setup_error("no such thing");
    });
    EXPECT_EQ(end.status, 2);
    EXPECT_EQ(end.error.find("shoal: PE "), 0U) << end.error;
    EXPECT_EQ(end.error.find('\n'), end.error.size() - 1) << end.error;
  }
}

}  // namespace
}  // namespace shoal::test
