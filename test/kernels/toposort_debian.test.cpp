// labels: optimized
// Topological sort of the strong components of the Debian dependency graph: the longest path is the one of
// data/README.md, by every variant.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/toposort/problem.hpp"
#include "shoal/graph/matrix_market.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

using lists = std::vector<std::vector<std::int64_t>>;

// Depth-first from all vertices, in this order. Calls leave(vertex, number of the tree) at the end of each vertex.
template <class Leave>
void depth_first(const lists& next, const std::vector<std::int64_t>& order, Leave leave) {
  std::vector<bool> seen(next.size());
  std::vector<std::pair<std::int64_t, std::size_t>> path;  // vertices, and how many of its edges have been followed
  std::int64_t n_trees = 0;
  for (const std::int64_t root : order) {
    if (seen[static_cast<std::size_t>(root)]) continue;
    seen[static_cast<std::size_t>(root)] = true;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [vertex, n_followed] = path.back();
      const auto& edges = next[static_cast<std::size_t>(vertex)];
      if (n_followed == edges.size()) {
        leave(vertex, n_trees);
        path.pop_back();
      } else if (const std::int64_t to = edges[n_followed++]; !seen[static_cast<std::size_t>(to)]) {
        seen[static_cast<std::size_t>(to)] = true;
        path.emplace_back(to, 0);
      }
    }
    ++n_trees;
  }
}

// The strong component of each vertex, by Kosaraju's algorithm: an edge between two leads to the higher number.
std::vector<std::int64_t> strong_components(std::int64_t n, const std::vector<weighted_entry>& edges) {
  lists next(static_cast<std::size_t>(n));
  lists previous(static_cast<std::size_t>(n));
  for (const weighted_entry& e : edges) {
    next[static_cast<std::size_t>(e.row)].push_back(e.column);
    previous[static_cast<std::size_t>(e.column)].push_back(e.row);
  }
  std::vector<std::int64_t> order;
  for (std::int64_t v = 0; v < n; ++v) order.push_back(v);
  std::vector<std::int64_t> left;
  depth_first(next, order, [&](std::int64_t vertex, std::int64_t) { left.push_back(vertex); });
  std::ranges::reverse(left);
  std::vector<std::int64_t> components(static_cast<std::size_t>(n));
  depth_first(previous, left,
              [&](std::int64_t vertex, std::int64_t tree) { components[static_cast<std::size_t>(vertex)] = tree; });
  return components;
}

TEST_ON_PES(toposort_debian, has_the_longest_path_that_is_known) {
  world& w = world::current();
  const sparse_matrix graph = read_matrix_market(w, test::data_path("debian-depends.mtx.gz"));
  const std::vector<std::int64_t> components = strong_components(graph.n_rows(), test::gather_entries(w, graph));
  const std::int64_t n_components = *std::ranges::max_element(components) + 1;
  EXPECT_EQ(n_components, 63'569);

  // The kernel takes the upper triangle, in which all these edges are.
  const sparse_matrix condensed =
      assemble<entry>(w, {layout::cyclic, n_components, w.n_pes()}, n_components, [&](auto& builder) {
        for (std::int64_t r = 0; r < graph.n_local_rows(); ++r) {
          const std::int64_t from = components[static_cast<std::size_t>(graph.global_row(r))];
          for (const std::int64_t column : graph.row(r)) {
            const std::int64_t to = components[static_cast<std::size_t>(column)];
            EXPECT_LE(from, to);
            if (from != to) builder.add({from, to});
          }
        }
      });
  test::temp_folder folder(w);
  const std::string path = folder.path_of("condensed.mtx");
  write_matrix_market(w, condensed, path);
  EXPECT_EQ(test::answer_of(w, describe_toposort(), {{"input", path}}), "\"levels\": 37");  // 36 edges
}

}  // namespace
}  // namespace shoal::kernels
