// Goal: for any error in a file, all PEs throw the same line, which names file and line.
// pes: 1 2 3 4 7
// labels: threads
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "shoal/graph/matrix_market.hpp"
#include "shoal/graph/names.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

using test::data_path;
using test::temp_folder;

// Collective. The text that `call` throws. Checks that all PEs throw the same and can continue.
std::string error_of(world& w, const std::function<void()>& call) {
  std::string text;
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const setup_error& e) {
    text = e.what();
  }
  const std::size_t digest = std::hash<std::string>{}(text);
  EXPECT_EQ(w.min(digest), w.max(digest)) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  return text;
}

std::string matrix_error(world& w, const std::string& path) {
  return error_of(w, [&] { read_matrix_market(w, path); });
}

// "PATH:line: text" without the folder.
std::string without_folder(std::string text, const temp_folder& folder) {
  const std::string prefix = folder.path_of("");
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  return text;
}

const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string expected_banner =
    "; expected: %%MatrixMarket matrix coordinate pattern|integer|real general|symmetric";
const std::string expected_size = "; expected the size line, three whole numbers: rows columns entries";

struct bad_file {
  std::string text;
  std::string expected;  // after the file's name
};

const bad_file bad_files[] = {
    // The banner
    {"", ":1: the file is empty" + expected_banner},
    {"\n", ":1: not a MatrixMarket file: it begins with ''" + expected_banner},
    {"1 2\n", ":1: not a MatrixMarket file: it begins with '1 2'" + expected_banner},
    {"% comment\n" + pattern + "1 1 0\n", ":1: not a MatrixMarket file: it begins with '% comment'" + expected_banner},
    {std::string("\x7f"
                 "ELF\x02\x01\x01\0\0\n\xff\xfe",
                 12),
     ":1: not a MatrixMarket file: it begins with '\\x7fELF\\x02\\x01\\x01\\x00\\x00'" + expected_banner},
    {std::string(100'000, 'x'), ":1: the line is longer than 65536 bytes; is this a text file?"},
    {"BZh91AY&SY", ": is compressed with bzip2; decompress it, or compress it with gzip"},
    {"\xfd"
     "7zXZ...",
     ": is compressed with xz; decompress it, or compress it with gzip"},
    {"\x28\xb5\x2f\xfd...", ": is compressed with zstd; decompress it, or compress it with gzip"},
    {"%%MatrixMarket\n", ":1: malformed banner '%%MatrixMarket'" + expected_banner},
    {"%%MatrixMarket matrix coordinate pattern\n",
     ":1: malformed banner '%%MatrixMarket matrix coordinate pattern'" + expected_banner},
    {"%%MatrixMarket matrix coordinate pattern general extra\n",
     ":1: malformed banner '%%MatrixMarket matrix coordinate pattern…'" + expected_banner},
    {"%%MatrixMarket vector coordinate real general\n", ":1: object 'vector' is unknown" + expected_banner},
    {"%%MatrixMarket matrix array real general\n", ":1: format 'array' is not supported" + expected_banner},
    {"%%MatrixMarket matrix coordinate complex general\n", ":1: field 'complex' is not supported" + expected_banner},
    {"%%MatrixMarket matrix coordinate double general\n", ":1: field 'double' is unknown" + expected_banner},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
     ":1: symmetry 'skew-symmetric' is not supported" + expected_banner},
    {"%%MatrixMarket matrix coordinate real Hermitian\n",
     ":1: symmetry 'Hermitian' is not supported" + expected_banner},
    // The size line
    {pattern, ":2: the file ends" + expected_size},
    {pattern + "% only\n% comments\n", ":4: the file ends" + expected_size},
    {pattern + "3 4\n", ":2: cannot read '3 4'" + expected_size},
    {pattern + "% c\n\n3 x 4\n", ":4: cannot read '3 x 4'" + expected_size},
    {pattern + "3 -3 4\n", ":2: cannot read '3 -3 4'" + expected_size},
    {pattern + "3 3.5 4\n", ":2: cannot read '3 3.5 4'" + expected_size},
    {pattern + "3 3 4 5\n", ":2: unexpected '5' after the size" + expected_size},
    {pattern + "99999999999999999999 3 4\n", ":2: '99999999999999999999' is too large; at most 9223372036854775807"},
    {"%%MatrixMarket matrix coordinate pattern symmetric\n3 4 0\n",
     ":2: a symmetric matrix is square, but this one has 3 rows and 4 columns; correct them, or say general "
     "in "
     "line 1"},
    // Entries
    {pattern + "50 50 3\n1 1\n1 99\n2 2\n", ":4: column 99 is out of range (the matrix has 50 columns)"},
    {pattern + "% c\n50 50 3\n1 1\n\n0 1\n2 2\n", ":6: row 0 is out of range (rows are counted from 1)"},
    {pattern + "50 50 3\n1 1\n2 2\n3 3 3\n",
     ":5: unexpected '3' after the entry; an entry of this file is: row column"},
    {pattern + "50 50 3\n1 1\nbad\nworse\n", ":4: cannot read 'bad'; an entry of this file is: row column"},
    {pattern + "50 50 3\n1 1\n2 2\n3", ":5: cannot read '3'; an entry of this file is: row column"},
    {pattern + "50 50 3\n1 1\n% late\n2 2\n3 3\n",
     ":4: a comment among the entries; comments stand before the size line (line 2)"},
    {pattern + "0 0 1\n1 1\n", ":3: row 1 is out of range (the matrix has 0 rows)"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1e999\n",
     ":3: value '1e999' is out of range; the largest is 1.7976931348623157e308"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n",
     ":3: cannot read '1 1'; an entry of this file is: row column value (a number)"},
    {"%%MatrixMarket matrix coordinate integer symmetric\n3 3 1\n1 2 7\n",
     ":3: row 1, column 2 lies above the diagonal; a symmetric file holds the lower triangle (row >= "
     "column), "
     "or say general in line 1"},
    {pattern + "50 50 3\n1 1\n" + std::string(200'000, '7') + "\n2 2\n3 3\n",
     ":4: the line is too long; an entry of this file is: row column"},
    // Their number
    {pattern + "50 50 3\n1 1\n2 2\n",
     ":4: the file ends after 2 entries of the 3 that line 2 announces; the file is truncated, or that "
     "number is "
     "wrong"},
    {pattern + "% c\n50 50 3",
     ":3: the file ends after 0 entries of the 3 that line 3 announces; the file is "
     "truncated, or that number is wrong"},
    {pattern + "50 50 2\n1 1\n\n2 2\n\n3 3\n4 4\n",
     ":7: one entry more than the 2 that line 2 announces; the file has 4, so lines are too many, or that "
     "number is wrong"},
};

TEST_ON_PES(bad_input, names_file_and_line) {
  world& w = world::current();
  temp_folder folder(w);
  for (const bad_file& bad : bad_files) {
    EXPECT_EQ(without_folder(matrix_error(w, folder.write("bad.mtx", bad.text)), folder), "bad.mtx" + bad.expected);
  }
}

TEST_ON_PES(bad_input, names_file_and_line_in_compressed_files) {
  if (!test::reads_gzip(world::current())) GTEST_SKIP();
  world& w = world::current();
  temp_folder folder(w);
  for (const bad_file& bad : bad_files) {
    // If the line is overlong, or the file compressed twice, the words differ.
    if (bad.text.size() > 10'000 || bad.expected.starts_with(": ")) continue;
    EXPECT_EQ(without_folder(matrix_error(w, folder.write_compressed("bad.mtx", bad.text)), folder),
              "bad.mtx.gz" + bad.expected);
  }
  EXPECT_EQ(without_folder(matrix_error(w, folder.write_compressed(
                                               "bad.mtx", pattern + "50 50 3\n1 1\n" + std::string(200'000, '7'))),
                           folder),
            "bad.mtx.gz:4: the line is longer than 65536 bytes; is this a text file?");
}

// One wrong line, anywhere in a file that all PEs read parts of; its number must be exact.
TEST_ON_PES(bad_input, names_the_exact_line_of_a_large_file) {
  world& w = world::current();
  temp_folder folder(w);
  constexpr std::int64_t n = 40'000;
  for (const std::int64_t wrong : {std::int64_t{1}, n / 3, n / 2, n / 4 * 3, n}) {
    std::string text = pattern + "% c\n10 100000 " + std::to_string(n) + "\n";
    for (std::int64_t i = 1; i <= n; ++i) {
      if (i % 1000 == 0) text += "\n";
      text += i == wrong ? "11 1\n" : "1 " + std::to_string(i) + "\n";
    }
    const std::string expected =
        ":" + std::to_string(3 + wrong + wrong / 1000) + ": row 11 is out of range (the matrix has 10 rows)";
    EXPECT_EQ(without_folder(matrix_error(w, folder.write("large.mtx", text)), folder), "large.mtx" + expected);
    if (test::reads_gzip(world::current())) {
      EXPECT_EQ(without_folder(matrix_error(w, folder.write_compressed("large.mtx", text)), folder),
                "large.mtx.gz" + expected);
    }
  }
}

TEST_ON_PES(bad_input, names_the_first_of_many_wrong_lines) {
  world& w = world::current();
  temp_folder folder(w);
  std::string text = pattern + "10 10 40000\n1 1\n";
  for (int i = 0; i < 40'000; ++i) text += "1 " + std::to_string(i + 11) + "\n";
  const std::string expected = ":4: column 11 is out of range (the matrix has 10 columns)";
  EXPECT_EQ(without_folder(matrix_error(w, folder.write("large.mtx", text)), folder), "large.mtx" + expected);
  if (test::reads_gzip(world::current())) {
    EXPECT_EQ(without_folder(matrix_error(w, folder.write_compressed("large.mtx", text)), folder),
              "large.mtx.gz" + expected);
  }
}

TEST_ON_PES(bad_input, names_files_that_cannot_be_read) {
  world& w = world::current();
  temp_folder folder(w);
  EXPECT_EQ(without_folder(matrix_error(w, folder.path_of("none.mtx")), folder),
            "none.mtx: cannot be opened: No such file or directory");
  EXPECT_EQ(matrix_error(w, "/etc"), "/etc: is a directory; name a file in it");
  EXPECT_EQ(matrix_error(w, "/dev/null"), "/dev/null: is not a regular file; write its contents to one first");
  EXPECT_EQ(matrix_error(w, ""), ": cannot be opened: No such file or directory");
}

// No machine has the memory for these, so the size line must be wrong.
TEST_ON_PES(bad_input, refuses_matrices_that_are_too_large) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string text =
      without_folder(matrix_error(w, folder.write("large.mtx", pattern + "4000000000000000 3 1\n1 1\n")), folder);
  EXPECT_EQ(text.find("large.mtx:2: a matrix with 4000000000000000 rows, 3 columns and 1 entries takes about "), 0u)
      << text;
  EXPECT_NE(text.find(" of memory; correct the size line, or use more machines"), std::string::npos) << text;
  // Columns take none.
  EXPECT_EQ(read_matrix_market(w, folder.write("wide.mtx", pattern + "3 4000000000000000 1\n1 1\n")).n_columns,
            4'000'000'000'000'000);
  // A number of entries that does not fit in a file of this size takes no memory.
  EXPECT_EQ(without_folder(matrix_error(w, folder.write("large.mtx", pattern + "3 3 4000000000000000\n1 1\n")), folder),
            "large.mtx:3: the file ends after 1 entries of the 4000000000000000 that line 2 announces; the file is "
            "truncated, or that number is wrong");
}

TEST_ON_PES(bad_input, tells_truncated_and_damaged_compression) {
  if (!test::reads_gzip(world::current())) GTEST_SKIP();
  world& w = world::current();
  temp_folder folder(w);
  random_engine random(1);
  std::string text = pattern + "1000000 1000000000 40000\n";
  for (int i = 0; i < 40'000; ++i) {
    text += std::to_string(1 + random.below(1'000'000)) + " " + std::to_string(1 + random.below(1'000'000'000)) + "\n";
  }
  const std::string cut =
      without_folder(matrix_error(w, folder.write_compressed("cut.mtx", text, text.size() / 4)), folder);
  EXPECT_TRUE(cut.starts_with("cut.mtx.gz:")) << cut;
  EXPECT_TRUE(
      cut.ends_with(": the compressed data end too early: the file is truncated; copy or compress it "
                    "again"))
      << cut;

  // Only the beginning of gzip's head.
  EXPECT_EQ(without_folder(matrix_error(w, folder.write_compressed("head.mtx", text, 5)), folder),
            "head.mtx.gz:1: the compressed data end too early: the file is truncated; copy or compress it again");

  for (const double where : {0.01, 0.5, 0.99}) {
    const std::string path = folder.write_compressed("damaged.mtx", text);
    if (w.my_pe() == 0) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      const auto size = static_cast<double>(std::filesystem::file_size(path));
      file.seekp(static_cast<std::streamoff>(size * where));
      file << std::string(8, '\xff');
    }
    w.barrier();
    const std::string damaged = without_folder(matrix_error(w, path), folder);
    // The effect of the damage on the text may be noticed before the damage itself.
    EXPECT_TRUE(damaged.starts_with("damaged.mtx.gz:")) << damaged;
  }

  // The checksum at the end is wrong, everything else is right.
  const std::string path = folder.write_compressed("sum.mtx", pattern + "2 2 1\n1 1\n");
  if (w.my_pe() == 0) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-8, std::ios::end);
    file << "xxxx";
  }
  w.barrier();
  EXPECT_EQ(without_folder(matrix_error(w, path), folder),
            "sum.mtx.gz:4: the compressed data are damaged here or a little earlier (incorrect data check); "
            "copy or "
            "compress the file again");
}

TEST_ON_PES(bad_input, says_that_gzip_is_missing) {
  if (test::reads_gzip(world::current())) GTEST_SKIP();
  world& w = world::current();
  EXPECT_EQ(matrix_error(w, data_path("debian-depends.mtx.gz")),
            data_path("debian-depends.mtx.gz") +
                ": is compressed with gzip, which this Shoal was built without; decompress it (gunzip), or install "
                "zlib and build again");
}

TEST_ON_PES(bad_input, tells_names_that_do_not_fit_the_graph) {
  world& w = world::current();
  temp_folder folder(w);
  struct bad_names {
    const char* text;
    const char* expected;
  };
  const bad_names files[] = {
      {"a\nb\n", ":2: the file ends after 2 names; the graph has 3 vertices, and each line is the name of one"},
      {"", ": the file ends after 0 names; the graph has 3 vertices, and each line is the name of one"},
      {"a\nb\nc\nd\n", ":4: one name too many; the graph has 3 vertices, and each line is the name of one"},
      {"a\n\nc\n", ":2: an empty line; the graph has 3 vertices, and each line is the name of one"},
  };
  for (const bad_names& bad : files) {
    const std::string path = folder.write("names", bad.text);
    EXPECT_EQ(without_folder(error_of(w, [&] { read_names(w, path, 3); }), folder),
              std::string("names") + bad.expected);
  }
  EXPECT_EQ(without_folder(error_of(w, [&] { read_names(w, folder.path_of("none"), 3); }), folder),
            "none: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace shoal
