// labels: optimized
// Jaccard similarity in the Debian dependency graph: what data/README.md says.
// pes: 2 7
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/jaccard/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

TEST_ON_PES(jaccard_debian, is_what_is_known) {
  // The others send 250 million messages, which takes too long here.
  test::expect_of_debian(world::current(), describe_jaccard(), {}, {"agp", "row_wise"}, [](const std::string& answer) {
    double sum = 0;
    double max = 0;
    return std::sscanf(answer.c_str(), "\"sum\": %lf, \"max\": %lf", &sum, &max) == 2 &&
           std::abs(sum - 13724.056367491) < 1e-8 && std::abs(max - 0.970059880) < 1e-9;
  });
}

}  // namespace
}  // namespace shoal::kernels
