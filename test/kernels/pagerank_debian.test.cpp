// labels: optimized
// PageRank of the Debian dependency graph: the ranks of data/README.md to 1e-8, by every variant, along
// both directions.
// pes: 2 7
#include <gtest/gtest.h>

#include "kernels/pagerank/problem.hpp"
#include "test/kernels/debian.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

option_list with_names(option_list options) {
  options.emplace_back("names", test::data_path("debian-depends.names.gz"));
  return options;
}

TEST_ON_PES(pagerank_debian, has_the_known_top_ten_by_push) {
  const kernel_description pagerank = describe_pagerank();
  test::expect_of_debian(world::current(), pagerank, with_names({{"direction", "push"}}), pagerank.variants,
                         test::has_debian_top);
}

TEST_ON_PES(pagerank_debian, has_the_known_top_ten_by_pull) {
  const kernel_description pagerank = describe_pagerank();
  test::expect_of_debian(world::current(), pagerank, with_names({{"direction", "pull"}}), pagerank.variants,
                         test::has_debian_top);
}

TEST_ON_PES(pagerank_debian, has_the_known_top_in_blocks) {
  test::expect_of_debian(world::current(), describe_pagerank(), with_names({{"distribution", "block"}}), {"actor"},
                         test::has_debian_top);
}

TEST_ON_PES(pagerank_debian, has_the_known_top_if_undirected) {
  const auto has_top = [](const std::string& answer) {
    return test::has_top(answer, test::debian_top_undirected, "rank", 1e-10);
  };
  for (const char* direction : {"push", "pull"}) {
    test::expect_of_debian(world::current(), describe_pagerank(),
                           with_names({{"undirected", "yes"}, {"direction", direction}, {"tolerance", "1e-15"}}),
                           {"actor"}, has_top);
  }
}

}  // namespace
}  // namespace shoal::kernels
