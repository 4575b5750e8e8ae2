// labels: optimized
// Connected components of the Debian dependency graph: the number of data/README.md, by every variant.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include "kernels/components/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

TEST_ON_PES(components_debian, are_as_many_as_is_known) {
  const kernel_description components = describe_components();
  for (const char* distribution : {"cyclic", "block"}) {
    test::expect_of_debian(world::current(), components, {{"distribution", distribution}}, components.variants,
                           [](const std::string& answer) { return answer == "\"components\": 4188"; });
  }
}

}  // namespace
}  // namespace shoal::kernels
