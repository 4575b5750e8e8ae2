// Goal: every kernel on graphs is right on each kind of generated graph, in both layouts, and on the Debian graph.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

constexpr std::array<const char*, 4> generated = {"er:n=300,degree=6", "geometric:n=300,degree=6",
                                                  "rmat:scale=8,factor=4", "stars:leaves=4x5x6,loop=hub"};

std::vector<kernel_description> graph_kernels() {
  std::vector<kernel_description> found;
  std::ranges::copy_if(all_kernels(), std::back_inserter(found), [](const kernel_description& each) {
    return std::ranges::find(each.options, "graph", &option_description::name) != each.options.end();
  });
  return found;
}

// One of the variants that send messages, another one in each run; all of them would take minutes.
std::string one_of(const kernel_description& described, std::size_t run) {
  std::vector<std::string> candidates;
  for (const std::string variant : {"actor", "lambda", "row_wise", "conveyor"}) {
    if (std::ranges::find(described.variants, variant) != described.variants.end()) candidates.push_back(variant);
  }
  return candidates[run % candidates.size()];
}

void check_on_debian(world& w, const kernel_description& described, std::size_t run) {
  if (!test::reads_gzip(w)) return;
  // The other variants of jaccard send 250 million messages.
  const std::string variant = described.name == "jaccard" ? "row_wise" : one_of(described, run);
  const std::unique_ptr<kernel> kernel = described.make(w, {{"input", test::data_path("debian-depends.mtx.gz")}});
  std::string why;
  EXPECT_TRUE(test::is_right(w, *kernel, variant, why))
      << described.name << ", Debian graph, " << variant << ": " << why;
}

void check_on_generated(world& w, const kernel_description& described, const std::string& graph) {
  for (const std::string distribution : {"cyclic", "block"}) {
    const std::unique_ptr<kernel> kernel = described.make(w, {{"graph", graph}, {"distribution", distribution}});
    for (const std::string& variant : described.variants) {
      if (!described.can_run(variant, w.is_one_sided())) continue;
      std::string why;
      EXPECT_TRUE(test::is_right(w, *kernel, variant, why))
          << described.name << " on " << graph << ", " << distribution << ", " << variant << ": " << why;
    }
  }
}

// Runs of the suite have numbers: those of a backend and number of PEs are three in a row, one for each node size. Each takes
// one generated graph for each kernel, and the Debian graph, which takes seconds, for one kernel. So every kernel has every
// graph on some network, and every generated one on local and sim. A job alone takes all generated graphs; the Debian graph
// has tests of its own. With SHOAL_TEST_INPUTS=all, a run takes everything.
TEST_ON_PES(kernels_on_graphs, are_right_on_every_input) {
  world& w = world::current();
  const char* const number = std::getenv("SHOAL_TEST_RUN");
  const bool takes_all = std::getenv("SHOAL_TEST_INPUTS") != nullptr;
  const std::size_t run = number == nullptr ? 0 : std::stoul(number) - 1;
  const std::size_t backend = run / 15;
  const std::size_t pes = run / 3 % 5;
  const std::vector<kernel_description> kernels = graph_kernels();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::size_t chosen = (k + 2 * backend + pes) % generated.size();
    for (std::size_t input = 0; input < generated.size(); ++input) {
      if (number == nullptr || takes_all || input == chosen) check_on_generated(w, kernels[k], generated[input]);
    }
    const bool takes_debian = takes_all || k == (3 * backend + 2 * pes) % kernels.size();
    if (number != nullptr && takes_debian) check_on_debian(w, kernels[k], run + k);
  }
}

}  // namespace
}  // namespace shoal::kernels
