// labels: optimized
// PageRank of the Debian dependency graph on 64 simulated PEs.
#include <gtest/gtest.h>

#include "kernels/pagerank/problem.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "test/kernels/debian.hpp"

namespace shoal::kernels {
namespace {

void run_simulated(const char* direction, const std::vector<std::string>& variants) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = 64;
  const int status = run_with(chosen, [&](world& w) {
    test::expect_of_debian(w, describe_pagerank(),
                           {{"direction", direction}, {"names", test::data_path("debian-depends.names.gz")}}, variants,
                           test::has_debian_top);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(pagerank_sim, has_the_known_top_ten_by_push) { run_simulated("push", describe_pagerank().variants); }

// A simulated get switches between PEs, so a million of them would take longer than the rest.
TEST(pagerank_sim, has_the_known_top_ten_by_pull) { run_simulated("pull", {"conveyor", "actor", "lambda"}); }

}  // namespace
}  // namespace shoal::kernels
