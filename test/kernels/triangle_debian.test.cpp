// labels: optimized
// Triangles of the Debian dependency graph: the number of data/README.md, by every variant.
// pes: 2 7
#include <gtest/gtest.h>

#include "kernels/triangle/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

TEST_ON_PES(triangle_debian, has_the_known_triangles_by_algorithm_0) {
  const kernel_description triangle = describe_triangle();
  test::expect_of_debian(world::current(), triangle, {{"algorithm", "0"}}, triangle.variants,
                         test::has_debian_triangles);
}

// Asks ten times as much, most of it of one PE.
TEST_ON_PES(triangle_debian, has_the_known_triangles_by_algorithm_1) {
  test::expect_of_debian(world::current(), describe_triangle(), {{"algorithm", "1"}}, {"agp_nb", "actor", "row_wise"},
                         test::has_debian_triangles);
}

TEST_ON_PES(triangle_debian, has_the_known_triangles_in_blocks) {
  test::expect_of_debian(world::current(), describe_triangle(), {{"distribution", "block"}}, {"actor"},
                         test::has_debian_triangles);
}

}  // namespace
}  // namespace shoal::kernels
