// labels: optimized
// Triangles of the Debian dependency graph on 64 simulated PEs.
#include <gtest/gtest.h>

#include "kernels/triangle/problem.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "test/kernels/debian.hpp"

namespace shoal::kernels {
namespace {

void run_simulated(const char* algorithm, const std::vector<std::string>& variants) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = 64;
  const int status = run_with(chosen, [&](world& w) {
    test::expect_of_debian(w, describe_triangle(), {{"algorithm", algorithm}}, variants, test::has_debian_triangles);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(triangle_sim, has_the_known_triangles_by_algorithm_0) {
  run_simulated("0", {"agp", "conveyor", "exstack", "exstack2", "actor", "lambda"});
}
TEST(triangle_sim, has_the_known_triangles_by_algorithm_1) { run_simulated("1", {"agp", "actor"}); }

}  // namespace
}  // namespace shoal::kernels
