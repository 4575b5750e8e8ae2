// Goal: every supported kind of file gives the right matrix on any number of PEs.
// pes: 1 2 3 4 7
// labels: threads
#include "shoal/graph/matrix_market.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

using test::data_path;
using test::gather_entries;
using test::random_entries;
using test::temp_folder;

using entries = std::vector<weighted_entry>;

struct good_file {
  const char* what;
  std::string text;
  std::int64_t n_rows;
  std::int64_t n_columns;
  bool has_values;
  entries expected;
};

const good_file good_files[] = {
    {"pattern",
     "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1\n",
     2,
     3,
     false,
     {{0, 2, 1}, {1, 0, 1}}},
    {"integer",
     "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 -5\n2 1 7\n",
     2,
     2,
     true,
     {{0, 1, -5}, {1, 0, 7}}},
    {"real",
     "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1.5e1\n2 1 -0.25\n",
     2,
     2,
     true,
     {{0, 1, 15}, {1, 0, -0.25}}},
    {"symmetric",
     "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n3 1 4\n3 2 5\n",
     3,
     3,
     true,
     {{0, 0, 2}, {0, 2, 4}, {1, 2, 5}, {2, 0, 4}, {2, 1, 5}}},
    {"comments and blank lines",
     "%%MatrixMarket matrix coordinate pattern general\n% one\n\n%\n   % two\n  \n2 2 1\n\n1 2\n\n\n",
     2,
     2,
     false,
     {{0, 1, 1}}},
    {"no comment sign alone, capitals",
     "%%matrixmarket MATRIX Coordinate Pattern GENERAL\n1 1 1\n1 1\n",
     1,
     1,
     false,
     {{0, 0, 1}}},
    {"windows",
     "%%MatrixMarket matrix coordinate integer general\r\n% c\r\n\r\n2 2 2\r\n1 2 3\r\n2 1 4\r\n",
     2,
     2,
     true,
     {{0, 1, 3}, {1, 0, 4}}},
    {"no end of the last line",
     "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 2",
     2,
     2,
     false,
     {{0, 1, 1}, {1, 1, 1}}},
    {"blanks", "%%MatrixMarket  matrix\tcoordinate pattern general \n\t2  2 1 \n  1\t 2 \n", 2, 2, false, {{0, 1, 1}}},
    {"no entries", "%%MatrixMarket matrix coordinate pattern general\n5 4 0\n", 5, 4, false, {}},
    {"no entries, no line end", "%%MatrixMarket matrix coordinate pattern general\n5 4 0", 5, 4, false, {}},
    {"no rows", "%%MatrixMarket matrix coordinate real general\n0 0 0\n", 0, 0, true, {}},
    {"duplicates",
     "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 2 3\n2 2 1\n1 2 4\n",
     2,
     2,
     true,
     {{0, 1, 7}, {1, 1, 1}}},
};

void expect_matrix(world& w, const good_file& file, const sparse_matrix& m) {
  EXPECT_EQ(m.n_rows(), file.n_rows);
  EXPECT_EQ(m.n_columns, file.n_columns);
  EXPECT_EQ(m.has_values, file.has_values);
  EXPECT_EQ(m.n_local_rows(), m.rows.n_local(w.my_pe()));
  EXPECT_EQ(gather_entries(w, m), file.expected);
}

TEST_ON_PES(read_matrix_market, reads_every_kind_of_file) {
  world& w = world::current();
  temp_folder folder(w);
  for (const good_file& file : good_files) {
    SCOPED_TRACE(file.what);
    const std::string path = folder.write("good.mtx", file.text);
    expect_matrix(w, file, read_matrix_market(w, path));
    expect_matrix(w, file, read_matrix_market(w, path, {.rows = layout::block}));
    if (test::reads_gzip(world::current())) {
      expect_matrix(w, file, read_matrix_market(w, folder.write_compressed("good.mtx", file.text)));
    }
  }
}

TEST_ON_PES(read_matrix_market, leaves_out_values_and_keeps_duplicates_on_request) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path =
      folder.write("m.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 2 3\n2 2 1\n1 2 4\n");
  const sparse_matrix pattern = read_matrix_market(w, path, {.with_values = false});
  EXPECT_FALSE(pattern.has_values);
  EXPECT_EQ(gather_entries(w, pattern), (entries{{0, 1, 1}, {1, 1, 1}}));
  EXPECT_EQ(gather_entries(w, read_matrix_market(w, path, {.with_duplicates = true})),
            (entries{{0, 1, 3}, {0, 1, 4}, {1, 1, 1}}));
}

// Larger than any block that is read, distributed or sent, with lines of very different lengths, so that they are cut
// everywhere.
TEST_ON_PES(read_matrix_market, reads_files_of_many_blocks) {
  world& w = world::current();
  temp_folder folder(w);
  const std::int64_t n = 2'000'000'000;  // columns only: a row costs memory
  auto all = random_entries(1, 60'000, 1000, n);
  std::ostringstream text;
  text << "%%MatrixMarket matrix coordinate real general\n";
  for (int i = 0; i < 3000; ++i) text << "% comment " << i << '\n';
  text << "1000 " << n << ' ' << all.size() << '\n';
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 7 == 0) all[i].column %= 10;
    text << all[i].row + 1 << std::string(i % 20 == 0 ? 30 : 1, ' ') << all[i].column + 1 << ' ' << all[i].value
         << '\n';
    if (i % 101 == 0) text << '\n';
    if (i % 5000 == 0) text << std::string(5000, ' ') << '\n';
  }
  std::sort(all.begin(), all.end());
  const matrix_market_options options{.with_duplicates = true};
  const std::string path = folder.write("large.mtx", text.str());
  EXPECT_EQ(gather_entries(w, read_matrix_market(w, path, options)), all);
  if (test::reads_gzip(world::current())) {
    const std::string compressed = folder.write_compressed("large.mtx", text.str());
    EXPECT_EQ(gather_entries(w, read_matrix_market(w, compressed, options)), all);
  }
}

// Small files are split into parts at every byte, as there are more PEs than lines.
TEST_ON_PES(read_matrix_market, splits_small_files_anywhere) {
  world& w = world::current();
  temp_folder folder(w);
  for (std::int64_t n = 0; n < 40; n += 3) {
    std::string text = "%%MatrixMarket matrix coordinate pattern general\n1 40 " + std::to_string(n) + "\n";
    for (std::int64_t i = 1; i <= n; ++i) text += "1 " + std::to_string(i) + "\n";
    const sparse_matrix m = read_matrix_market(w, folder.write("small.mtx", text));
    EXPECT_EQ(n_entries(w, m), n);
  }
}

// gzip files may consist of several members and remain one text.
TEST_ON_PES(read_matrix_market, reads_compressed_files_that_were_joined) {
  if (!test::reads_gzip(world::current())) GTEST_SKIP();
  world& w = world::current();
  temp_folder folder(w);
  const std::string first =
      folder.write_compressed("first", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 ");
  const std::string second = folder.write_compressed("second", "2\n2 1\n");
  const std::string path = folder.path_of("joined.mtx.gz");
  if (w.my_pe() == 0) {
    std::ofstream(path, std::ios::binary)
        << std::ifstream(first, std::ios::binary).rdbuf() << std::ifstream(second, std::ios::binary).rdbuf();
  }
  w.barrier();
  EXPECT_EQ(gather_entries(w, read_matrix_market(w, path)), (entries{{0, 1, 1}, {1, 0, 1}}));
}

// The numbers are those of data/README.md, which other programs computed.
TEST_ON_PES(read_matrix_market, reads_the_debian_dependency_graph) {
  if (!test::reads_gzip(world::current())) GTEST_SKIP();
  world& w = world::current();
  for (const layout kind : {layout::cyclic, layout::block}) {
    const sparse_matrix graph = read_matrix_market(w, data_path("debian-depends.mtx.gz"), {.rows = kind});
    EXPECT_EQ(graph.n_rows(), 63'666);
    EXPECT_EQ(graph.n_columns, 63'666);
    EXPECT_FALSE(graph.has_values);
    EXPECT_EQ(n_entries(w, graph), 264'830);
    const sparse_matrix undirected = symmetrise(w, graph);
    EXPECT_EQ(n_entries(w, undirected), 2 * 264'761);
    EXPECT_EQ(n_entries(w, strict_lower(undirected)), 264'761);
    EXPECT_EQ(n_entries(w, strict_upper(undirected)), 264'761);
    EXPECT_EQ(transpose(w, undirected).columns, undirected.columns);
  }
}

}  // namespace
}  // namespace shoal
