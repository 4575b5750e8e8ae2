// Where PEs are bound if nothing else binds them, on machines that hwloc simulates (HWLOC_SYNTHETIC).
#include "shoal/substrate/internal/network/placement.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "shoal/base/internal/cores.hpp"
#include "shoal/substrate/internal/network/module.hpp"

namespace shoal::internal::network {
namespace {

std::string modules() { return std::string(std::getenv("SHOAL_BUILD")) + "/lib/shoal"; }

class synthetic_machine : public testing::Test {
protected:
  void SetUp() override {
    if (find_module(library_kind::hwloc, modules()).file.empty()) GTEST_SKIP() << "there is no module hwloc";
  }
  ~synthetic_machine() override { ::unsetenv("HWLOC_SYNTHETIC"); }

  // `n_pes` PEs on a machine with `n_cpus` CPUs, all of them allowed.
  static std::vector<int> place(const char* machine, int n_cpus, int n_pes) {
    ::setenv("HWLOC_SYNTHETIC", machine, 1);
    std::vector<int> allowed(static_cast<std::size_t>(n_cpus));
    std::iota(allowed.begin(), allowed.end(), 0);
    return place_pes(allowed, n_pes, modules());
  }
};

using cpus = std::vector<int>;

// Two packages of two memories each, with four cores that share a cache, each of two hardware threads.
const char* const large = "package:2 numa:2 l3:1 core:4 pu:2";

TEST_F(synthetic_machine, few_pes_are_spread_over_packages_and_memories) {
  EXPECT_EQ(place(large, 32, 2), (cpus{0, 16}));
  EXPECT_EQ(place(large, 32, 4), (cpus{0, 8, 16, 24}));
}

TEST_F(synthetic_machine, neighbours_in_number_are_neighbours_there) {
  EXPECT_EQ(place(large, 32, 8), (cpus{0, 4, 8, 12, 16, 20, 24, 28}));
}

TEST_F(synthetic_machine, each_has_a_core_of_its_own_while_there_are_cores) {
  EXPECT_EQ(place(large, 32, 16), (cpus{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}));
  for (int n_pes = 1; n_pes <= 16; ++n_pes) {
    std::set<int> cores;
    for (const int cpu : place(large, 32, n_pes)) cores.insert(cpu / 2);
    EXPECT_EQ(cores.size(), static_cast<std::size_t>(n_pes));
  }
}

TEST_F(synthetic_machine, with_more_pes_than_cores_hardware_threads_are_taken_once) {
  for (int n_pes = 17; n_pes <= 32; ++n_pes) {
    const cpus placed = place(large, 32, n_pes);
    EXPECT_EQ(std::set<int>(placed.begin(), placed.end()).size(), static_cast<std::size_t>(n_pes));
  }
}

TEST_F(synthetic_machine, only_allowed_cpus_are_taken) {
  ::setenv("HWLOC_SYNTHETIC", large, 1);
  EXPECT_EQ(place_pes(cpus{9, 12, 13, 30, 31}, 3, modules()), (cpus{9, 12, 30}));
  EXPECT_EQ(place_pes(cpus{9, 12, 13, 30, 31}, 5, modules()), (cpus{9, 12, 13, 30, 31}));
  EXPECT_EQ(place_pes(cpus{9, 12, 24, 30}, 2, modules()), (cpus{9, 24}));
  EXPECT_EQ(place_pes(cpus{0, 1, 2}, 2, modules()), (cpus{0, 2}));  // not both threads of the first core
}

TEST(placement, there_is_none_for_more_pes_than_cpus) {
  EXPECT_EQ(place_pes(cpus{0, 1, 2}, 4, modules()), cpus{});
  EXPECT_EQ(place_pes(cpus{0, 1, 2}, 0, modules()), cpus{});
}

TEST(placement, without_the_module_the_kernels_order_counts) {
  const cpus allowed = affinity_cpus();
  EXPECT_EQ(place_pes(allowed, static_cast<int>(allowed.size()), "/nowhere"), cpus_for_pes(0));
}

// A module that describes another machine must not bind a PE where it may not run.
TEST_F(synthetic_machine, an_answer_that_is_not_allowed_is_not_taken) {
  ::setenv("HWLOC_SYNTHETIC", "core:2", 1);
  const cpus allowed{700, 701};
  EXPECT_EQ(place_pes(allowed, 1, modules()), cpus{cpus_for_pes(0).front()});
}

}  // namespace
}  // namespace shoal::internal::network
