// Goal: edge lists of every form give the right graph on any number of PEs, and wrong lines are named.
// pes: 1 2 3 4 7
// labels: threads
#include "shoal/graph/edge_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

using test::gather_entries;
using test::matrix_of;
using test::random_entries;
using test::setup_error_of;
using test::temp_folder;
using entries = std::vector<weighted_entry>;

struct good_file {
  const char* what;
  std::string text;
  edge_list_options options;
  std::int64_t n_vertices;
  bool has_values;
  entries expected;
};

const good_file good_files[] = {
    {"blanks", "0 1\n 2\t3 \n", {}, 4, false, {{0, 1, 1}, {2, 3, 1}}},
    {"commas", "0,1\n2 , 3\n3, 0\n0 ,2", {}, 4, false, {{0, 1, 1}, {0, 2, 1}, {2, 3, 1}, {3, 0, 1}}},
    {"comments and blank lines", "# a\n% b\n\n  # 7 7\n0 1\n \t\n#\n", {}, 2, false, {{0, 1, 1}}},
    {"windows", "# a\r\n0 1\r\n\r\n1 0\r\n", {}, 2, false, {{0, 1, 1}, {1, 0, 1}}},
    {"weights", "0 1 2.5\n1,0,-3\n1 1 1e-999\n", {}, 2, true, {{0, 1, 2.5}, {1, 0, -3}, {1, 1, 0}}},
    {"weights left out", "0 1 2.5\n1 0 7\n", {.with_values = false}, 2, false, {{0, 1, 1}, {1, 0, 1}}},
    {"from 1", "1 2\n2 1\n", {.first_vertex = 1}, 2, false, {{0, 1, 1}, {1, 0, 1}}},
    {"number of vertices", "0 1\n", {.n_vertices = 9}, 9, false, {{0, 1, 1}}},
    {"undirected", "0 1 2\n2 2 3\n", {.is_undirected = true}, 3, true, {{0, 1, 2}, {1, 0, 2}, {2, 2, 3}}},
    {"repeated", "0 1 2\n0 1 3\n", {}, 2, true, {{0, 1, 5}}},
    {"repeated, kept", "0 1 2\n0 1 3\n", {.with_duplicates = true}, 2, true, {{0, 1, 2}, {0, 1, 3}}},
    {"nothing", "", {}, 0, false, {}},
    {"comments only", "# 1 2", {}, 0, false, {}},
    {"no edges", "\n", {.n_vertices = 5}, 5, false, {}},
};

TEST_ON_PES(read_edge_list, reads_every_kind_of_file) {
  world& w = world::current();
  temp_folder folder(w);
  const bool reads_gzip = test::reads_gzip(w);
  for (const good_file& file : good_files) {
    SCOPED_TRACE(file.what);
    for (const layout kind : {layout::cyclic, layout::block}) {
      edge_list_options options = file.options;
      options.rows = kind;
      const std::string path = folder.write("graph", file.text);
      const auto expect_graph = [&](const std::string& name) {
        const sparse_matrix m = read_edge_list(w, name, options);
        EXPECT_EQ(m.n_rows(), file.n_vertices);
        EXPECT_EQ(m.n_columns, file.n_vertices);
        EXPECT_EQ(m.has_values, file.has_values);
        EXPECT_EQ(m.rows.kind(), kind);
        EXPECT_EQ(gather_entries(w, m), file.expected);
      };
      expect_graph(path);
      if (reads_gzip) expect_graph(folder.write_compressed("graph", file.text));
    }
  }
}

TEST_ON_PES(read_edge_list, reads_files_of_many_blocks) {
  world& w = world::current();
  temp_folder folder(w);
  entries all = random_entries(3, 60'000, 5000, 5000);
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char* const separator = i % 3 == 0 ? "," : i % 3 == 1 ? " \t" : " ";
    text += std::to_string(all[i].row) + separator + std::to_string(all[i].column) + separator +
            std::to_string(all[i].value) + "\n";
    if (i % 101 == 0) text += "# a comment\n";
    if (i % 5000 == 0) text += std::string(5000, ' ') + "\n";
  }
  std::sort(all.begin(), all.end());
  const edge_list_options options{.n_vertices = 5000, .with_duplicates = true};
  EXPECT_TRUE(gather_entries(w, read_edge_list(w, folder.write("graph", text), options)) == all);
  if (!test::reads_gzip(w)) return;
  EXPECT_TRUE(gather_entries(w, read_edge_list(w, folder.write_compressed("graph", text), options)) == all);
}

TEST_ON_PES(write_edge_list, writes_what_reads_back) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("graph");
  for (const std::int64_t n : {0, 1, 2, 40, 3000}) {
    for (const layout kind : {layout::cyclic, layout::block}) {
      entries all = random_entries(5, static_cast<std::size_t>(n * 4), n + (n == 0), n + (n == 0));
      for (const bool has_values : {true, false}) {
        const sparse_matrix m =
            has_values ? matrix_of<weighted_entry>(w, kind, all, n, n) : matrix_of<entry>(w, kind, all, n, n);
        write_edge_list(w, m, path);
        const sparse_matrix again = read_edge_list(w, path, {.rows = kind, .n_vertices = n, .with_duplicates = true});
        EXPECT_TRUE(again.offsets == m.offsets && again.columns == m.columns && again.values == m.values);
        EXPECT_EQ(again.has_values, has_values && n != 0);
        w.barrier();
      }
    }
  }
  write_edge_list(w, matrix_of<weighted_entry>(w, layout::block, {{0, 2, 0.5}, {2, 1, 3}}, 4, 4), path);
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "# 4 vertices, 2 edges\n0 2 0.5\n2 1 3\n");
}

const std::string form = "; a line of this file is: from to, or: from to weight";

struct bad_list {
  std::string text;
  std::string expected;
  edge_list_options options = {};
};

const bad_list bad_lists[] = {
    {"0 1\nbad\nworse\n", ":2: cannot read 'bad'" + form},
    {"0 1\n\n2\n", ":3: cannot read '2'" + form},
    {"0,,1\n", ":1: cannot read '0,,1'" + form},
    {",0,1\n", ":1: cannot read ',0,1'" + form},
    {"0 1,\n", ":1: cannot read '0 1,'" + form},
    {"0 1 2 3\n", ":1: cannot read '0 1 2 3'" + form},
    {"0 1 2x\n", ":1: cannot read '0 1 2x'" + form},
    {"0 1.5\n", ":1: cannot read '0 1.5'" + form},
    {"0 1 # late\n", ":1: cannot read '0 1 # late'" + form},
    {"# a\n0 -1\n", ":2: vertex -1 is out of range (vertices are counted from 0)"},
    {"1 2\n2 0\n", ":2: vertex 0 is out of range (vertices are counted from 1)", {.first_vertex = 1}},
    {"0 1\n9 10\n", ":2: vertex 10 is out of range (the graph has 10 vertices)", {.n_vertices = 10}},
    {"10 11\n", ":1: vertex 11 is out of range (the graph has 10 vertices)", {.n_vertices = 10, .first_vertex = 1}},
    {"0 99999999999999999999\n", ":1: vertex 99999999999999999999 is too large; at most 9223372036854775806"},
    {"9223372036854775807 1\n", ":1: vertex 9223372036854775807 is too large; at most 9223372036854775806"},
    {"0 1 1e999\n", ":1: weight '1e999' is out of range; the largest is 1.7976931348623157e308"},
    {"0 1 5\n# c\n1 0\n", ":3: no weight, unlike line 1; give all lines a weight, or none"},
    {"# c\n0 1\n1 0\n2 2 7\n3 3\n", ":4: a weight, unlike line 2; give all lines a weight, or none"},
    {"0 1\n" + std::string(200'000, '7') + "\n", ":2: the line is too long" + form},
};

TEST_ON_PES(read_edge_list, names_file_and_line) {
  world& w = world::current();
  temp_folder folder(w);
  const bool reads_gzip = test::reads_gzip(w);
  for (const bad_list& bad : bad_lists) {
    const std::string path = folder.write("bad", bad.text);
    EXPECT_EQ(setup_error_of(w, [&] { read_edge_list(w, path, bad.options); }), path + bad.expected);
    if (!reads_gzip || bad.text.size() > 10'000) continue;
    const std::string compressed = folder.write_compressed("bad", bad.text);
    EXPECT_EQ(setup_error_of(w, [&] { read_edge_list(w, compressed, bad.options); }), compressed + bad.expected);
  }
  const std::string none = folder.path_of("none");
  EXPECT_EQ(setup_error_of(w, [&] { read_edge_list(w, none); }),
            none + ": cannot be opened: No such file or directory");
}

// One wrong line, anywhere in a file that all PEs read parts of.
TEST_ON_PES(read_edge_list, names_the_exact_line_of_a_large_file) {
  world& w = world::current();
  temp_folder folder(w);
  const bool reads_gzip = test::reads_gzip(w);
  constexpr int n = 40'000;
  for (const int wrong : {2, n / 3, n / 2, n}) {
    for (const bool is_weight : {false, true}) {
      std::string text;
      for (int i = 1; i <= n; ++i) {
        text += i == wrong ? (is_weight ? "1 2 3\n" : "1 x\n") : "1 " + std::to_string(i % 100) + "\n";
      }
      const std::string expected =
          ":" + std::to_string(wrong) +
          (is_weight ? ": a weight, unlike line 1; give all lines a weight, or none" : ": cannot read '1 x'" + form);
      const std::string path = folder.write("large", text);
      EXPECT_EQ(setup_error_of(w, [&] { read_edge_list(w, path); }), path + expected);
      if (!reads_gzip) continue;
      const std::string compressed = folder.write_compressed("large", text);
      EXPECT_EQ(setup_error_of(w, [&] { read_edge_list(w, compressed); }), compressed + expected);
    }
  }
}

TEST_ON_PES(read_edge_list, reads_or_refuses_mutated_files) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string good = "# a graph\n0 1 2.5\n1,2,-3e2\r\n\n3\t0\t7\n2 2 0.125\n";
  int n_refused = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const std::string path = folder.write("graph", test::mutated(good, seed));
    const std::string text = setup_error_of(w, [&] {
      const sparse_matrix m = read_edge_list(w, path, {.n_vertices = 20});
      EXPECT_LE(n_entries(w, m), 6);
    });
    if (text.empty()) continue;
    ++n_refused;
    EXPECT_TRUE(text.starts_with(path + ":")) << text;
    EXPECT_EQ(text.find(" (PEs differ)"), text.npos) << text;
    EXPECT_EQ(text.find(" (several lines)"), text.npos) << text;
  }
  EXPECT_GT(n_refused, 50);
  EXPECT_LT(n_refused, 280);
}

TEST_ON_PES(read_edge_list, refuses_graphs_that_are_too_large) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("large", "0 1\n1 4000000000000000\n2 3\n");
  const std::string text = setup_error_of(w, [&] { read_edge_list(w, path); });
  EXPECT_EQ(text.find(path + ":2: a graph with 4000000000000001 vertices and 3 edges takes about "), 0u) << text;
  EXPECT_TRUE(text.ends_with(" of memory; correct the number of vertices, or use more machines")) << text;
}

}  // namespace
}  // namespace shoal
