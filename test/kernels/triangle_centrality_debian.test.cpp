// labels: optimized
// Triangle centrality in the Debian dependency graph: what data/README.md says.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "kernels/triangle_centrality/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

constexpr std::array<test::known_rank, 5> debian_centrality = {{{"libc6", 0.785078275},
                                                                {"libstdc++6", 0.485160553},
                                                                {"libgcc-s1", 0.381576455},
                                                                {"libqt5core5a", 0.379583964},
                                                                {"libqt5gui5", 0.352212668}}};

TEST_ON_PES(triangle_centrality_debian, is_what_is_known) {
  // The others send 50 million messages, which takes too long here.
  test::expect_of_debian(
      world::current(), describe_triangle_centrality(), {{"names", test::data_path("debian-depends.names.gz")}},
      {"agp", "row_wise"}, [](const std::string& answer) {
        std::uint64_t n_triangles = 0;
        double sum = 0;
        return std::sscanf(answer.c_str(), "\"triangles\": %lu, \"sum\": %lf", &n_triangles, &sum) == 2 &&
               n_triangles == test::n_debian_triangles && std::abs(sum - 2977.857592555) < 1e-9 &&
               test::has_top(answer, debian_centrality, "centrality", 1e-9);
      });
}

}  // namespace
}  // namespace shoal::kernels
