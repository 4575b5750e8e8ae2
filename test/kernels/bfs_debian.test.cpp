// labels: optimized
// Breadth-first search from bash in the Debian dependency graph: what data/README.md says, by every variant.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include "kernels/bfs/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

TEST_ON_PES(bfs_debian, reaches_what_is_known_from_bash) {
  const kernel_description bfs = describe_bfs();
  const option_list options = {{"names", test::data_path("debian-depends.names.gz")}, {"root", "bash"}};
  test::expect_of_debian(world::current(), bfs, options, bfs.variants, [](const std::string& answer) {
    return answer.starts_with("\"reached\": 23, \"eccentricity\": 7,");
  });
}

}  // namespace
}  // namespace shoal::kernels
