// labels: optimized
// Cores of the Debian dependency graph: the innermost one of data/README.md, by every variant.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include "kernels/kcore/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

TEST_ON_PES(kcore_debian, has_the_innermost_core_that_is_known) {
  const kernel_description kcore = describe_kcore();
  for (const char* distribution : {"cyclic", "block"}) {
    test::expect_of_debian(world::current(), kcore, {{"distribution", distribution}}, kcore.variants,
                           [](const std::string& answer) { return answer == "\"innermost\": 28, \"vertices\": 85"; });
  }
}

}  // namespace
}  // namespace shoal::kernels
