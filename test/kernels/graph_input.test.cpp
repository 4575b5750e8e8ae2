// Goal: a kernel reads the same graph from a file in each form, and says what an option or a file has wrong.
// pes: 1 2 3 4 7
#include "kernels/graph_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "shoal/graph/edge_list.hpp"
#include "shoal/graph/matrix_directory.hpp"
#include "shoal/graph/matrix_market.hpp"
#include "test/kernels/graph_cases.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::kernels {
namespace {

using test::temp_folder;

sparse_matrix read(world& w, const option_list& options) {
  graph_options given;
  for (const auto& [name, value] : options) EXPECT_TRUE(parse_graph_option(given, name, value)) << name;
  return read_graph(w, given, {"a kernel", 8, 8});
}

std::string refusal_of(world& w, const option_list& options) {
  try {
    read(w, options);
  } catch (const setup_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_ON_PES(graph_input, is_the_same_in_each_form) {
  world& w = world::current();
  temp_folder folder(w);
  std::vector<entry> mine;  // some edges are there twice
  if (w.my_pe() == 0) mine = test::generated_edges(50, 300, 2);
  mine.push_back({49, 0});  // from every PE; the last vertex has an edge, so an edge list tells their number
  sparse_matrix written = assemble<entry>(w, {layout::cyclic, 50, w.n_pes()}, 50, std::span<const entry>(mine));
  write_matrix_market(w, written, folder.path_of("a.mtx"));
  write_edge_list(w, written, folder.path_of("a.txt"));
  write_matrix_directory(w, written, folder.path_of("a"));
  std::string from_one;
  for (const auto [row, column] : test::generated_edges(50, 300, 2)) {
    from_one += std::to_string(row + 1) + '\t' + std::to_string(column + 1) + '\n';
  }
  const std::string list_from_one = folder.write("one.txt", from_one + "50 1\n");
  for (const std::string distribution : {"cyclic", "block"}) {
    const sparse_matrix expected = read(w, {{"input", folder.path_of("a.mtx")}, {"distribution", distribution}});
    EXPECT_LT(n_entries(w, expected), n_entries(w, written)) << "each edge counts once";
    const auto equals = [&](const sparse_matrix& m) { return are_equal(w, expected, m); };
    EXPECT_TRUE(equals(read(w, {{"input", folder.path_of("a.txt")}, {"distribution", distribution}})));
    EXPECT_TRUE(equals(read(w, {{"input", folder.path_of("a")}, {"distribution", distribution}})));
    EXPECT_TRUE(equals(read(w, {{"input", list_from_one}, {"first-vertex", "1"}, {"distribution", distribution}})));
  }
}

TEST_ON_PES(graph_input, says_what_is_wrong) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string list = folder.write("a.txt", "0 1\n1 2\n");
  EXPECT_EQ(refusal_of(w, {{"input", list}, {"first-vertex", "1"}}).find(list + ":1: "), 0U);
  EXPECT_EQ(refusal_of(w, {{"input", list}, {"first-vertex", "2"}}).find("--first-vertex=2"), 0U);
  const std::string market = folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n");
  EXPECT_EQ(
      refusal_of(w, {{"input", market}}),
      market + " is a matrix of 2 x 3, which is no graph: it must be square, with a row and a column for each vertex");
  EXPECT_EQ(refusal_of(w, {{"input", market}, {"first-vertex", "1"}}),
            "--first-vertex is for edge lists, which " + market + " is none; leave it out");
  const sparse_matrix wide = assemble<entry>(w, {layout::cyclic, 2, w.n_pes()}, 3, std::span<const entry>{});
  write_matrix_directory(w, wide, folder.path_of("wide"));
  EXPECT_EQ(refusal_of(w, {{"input", folder.path_of("wide")}}).find(folder.path_of("wide") + " is a matrix of 2 x 3"), 0U);
  EXPECT_EQ(refusal_of(w, {{"input", folder.path_of("none")}}),
            folder.path_of("none") + ": cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace shoal::kernels
