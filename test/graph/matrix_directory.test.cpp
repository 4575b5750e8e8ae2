// Goal: matrices survive a directory of files, whoever wrote it; a wrong file gives one line that names it.
// pes: 1 2 3 4 7
#include "shoal/graph/matrix_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "shoal/graph/internal/writer_rows.hpp"
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

template <class T>
std::vector<T> words_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<T> words;
  for (T word; file.read(reinterpret_cast<char*>(&word), sizeof word);) words.push_back(word);
  return words;
}

// Reads a directory serially, after the description of the format.
entries read_serially(const std::string& directory, std::int64_t n_rows, std::int64_t n_writers, bool has_values) {
  entries all;
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < n_writers; ++i) {
    const std::string number = std::to_string(i);
    auto positions = words_of<std::int64_t>(directory + "/rowinfo_" + number);
    const auto columns = words_of<std::int64_t>(directory + "/nonzero_" + number);
    const auto values = has_values ? words_of<double>(directory + "/value_" + number) : std::vector<double>();
    EXPECT_EQ(static_cast<std::int64_t>(positions.size()), n_rows / n_writers + (i < n_rows % n_writers));
    positions.push_back(static_cast<std::int64_t>(columns.size()));
    for (std::size_t r = 0; r + 1 < positions.size(); ++r, ++row) {
      for (auto k = static_cast<std::size_t>(positions[r]); k < static_cast<std::size_t>(positions[r + 1]); ++k) {
        all.push_back({row, columns[k], has_values ? values[k] : 1});
      }
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct shape {
  std::int64_t n_rows;
  std::int64_t n_columns;
  std::size_t n_entries;
};

TEST_ON_PES(writer_rows, are_blocks_of_which_the_first_are_larger) {
  for (std::int64_t n = 0; n < 20; ++n) {
    for (std::int64_t n_writers = 1; n_writers < 25; ++n_writers) {
      const internal::writer_rows rows(n, n_writers);
      std::int64_t row = 0;
      for (std::int64_t i = 0; i < n_writers; ++i) {
        EXPECT_EQ(rows.begin(i), row);
        for (std::int64_t k = 0; k < rows.size(i); ++k) EXPECT_EQ(rows.writer_of(row++), i);
        EXPECT_EQ(rows.size(i), n / n_writers + (i < n % n_writers));
      }
      EXPECT_EQ(row, n);
    }
  }
}

TEST_ON_PES(matrix_directory, holds_what_reads_back) {
  world& w = world::current();
  temp_folder folder(w);
  int number = 0;
  for (const shape s : {shape{0, 0, 0},
                        {5, 0, 0},
                        {0, 5, 0},
                        {3, 4, 0},
                        {1, 1, 1},
                        {2, 1000, 7},
                        {1000, 3, 50},
                        {40, 40, 200},
                        {100'001, 100'000'000, 90'000}}) {
    for (const std::int64_t n_writers : {0, 1, 2, 5, 9}) {
      if (s.n_rows > 1000 && n_writers > 2) continue;
      for (const layout kind : {layout::cyclic, layout::block}) {
        SCOPED_TRACE(testing::Message() << s.n_rows << " x " << s.n_columns << " of " << n_writers
                                        << " writers, layout " << static_cast<int>(kind));
        entries all = random_entries(7, s.n_entries, s.n_rows + (s.n_rows == 0), s.n_columns + (s.n_columns == 0));
        for (const bool has_values : {true, false}) {
          if (!has_values) {
            for (weighted_entry& e : all) e.value = 1;
          }
          std::sort(all.begin(), all.end());
          const sparse_matrix m = has_values ? matrix_of<weighted_entry>(w, kind, all, s.n_rows, s.n_columns)
                                             : matrix_of<entry>(w, kind, all, s.n_rows, s.n_columns);
          const std::string path = folder.path_of(std::to_string(number++ % 5));  // some exist already
          write_matrix_directory(w, m, path, n_writers);
          const std::int64_t n_files = n_writers == 0 ? w.n_pes() : n_writers;
          EXPECT_EQ(contents_of(path + "/metadata"),
                    "numrows: " + std::to_string(s.n_rows) + "\nnumcols: " + std::to_string(s.n_columns) +
                        "\nnnz: " + std::to_string(s.n_entries) + "\nnwriters: " + std::to_string(n_files) +
                        "\nvalues: " + (has_values ? "1\n" : "0\n"));
          EXPECT_TRUE(read_serially(path, s.n_rows, n_files, has_values) == all);
          const sparse_matrix again = read_matrix_directory(w, path, {.rows = kind});
          EXPECT_TRUE(again.offsets == m.offsets && again.columns == m.columns && again.values == m.values);
          EXPECT_TRUE(again.rows == m.rows);
          EXPECT_EQ(again.n_columns, s.n_columns);
          EXPECT_EQ(again.has_values, has_values);
          const sparse_matrix pattern = read_matrix_directory(w, path, {.rows = kind, .with_values = false});
          EXPECT_TRUE(pattern.columns == m.columns && !pattern.has_values && pattern.values.empty());
          w.barrier();
        }
      }
    }
  }
}

// Five rows of two writers.
struct bad_change {
  const char* file;
  std::string contents;
  const char* expected;
};

std::string words(const std::vector<std::int64_t>& all) {
  return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(std::int64_t)};
}

std::string metadata(const std::string& second = "numcols: 50", const std::string& third = "nnz: 6",
                     const std::string& fourth = "nwriters: 2", const std::string& fifth = "values: 1") {
  return "numrows: 5\n" + second + "\n" + third + "\n" + fourth + "\n" + fifth + "\n";
}

TEST_ON_PES(matrix_directory, names_the_file_that_is_wrong) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("m");
  const entries all = {{0, 1, 1}, {0, 2, 2}, {2, 3, 3}, {3, 49, 4}, {4, 0, 5}, {4, 7, 6}};
  const sparse_matrix m = matrix_of<weighted_entry>(w, layout::cyclic, all, 5, 50);
  const bad_change changes[] = {
      {"metadata", "", ":1: the file ends; expected 'numrows: N', where N is a whole number"},
      {"metadata", "numrows: 5\n", ":2: the file ends; expected 'numcols: N', where N is a whole number"},
      {"metadata", "rows: 5\n", ":1: cannot read 'rows: 5'; expected 'numrows: N', where N is a whole number"},
      {"metadata", "numrows 5\n", ":1: cannot read 'numrows 5'; expected 'numrows: N', where N is a whole number"},
      {"metadata", metadata("numcols: -3"),
       ":2: cannot read 'numcols: -3'; expected 'numcols: N', where N is a whole number"},
      {"metadata", metadata("numcols: 5x"),
       ":2: cannot read 'numcols: 5x'; expected 'numcols: N', where N is a whole number"},
      {"metadata", metadata("numcols: 50", "nnz:"),
       ":3: cannot read 'nnz:'; expected 'nnz: N', where N is a whole number"},
      {"metadata", metadata("numcols: 50", "nnz: 99999999999999999999"),
       ":3: cannot read 'nnz: 99999999999999999999'; expected 'nnz: N', where N is a whole number"},
      {"metadata", metadata("numcols: 50", "nnz: 6", "nwriters: 0"), ":4: nwriters is 0; it is at least 1"},
      {"metadata", metadata("numcols: 50", "nnz: 6", "nwriters: 2", "values: 2"), ":5: values is neither 0 nor 1"},
      {"metadata", metadata("numcols: 50", "nnz: 7"),
       ":3: nnz is 7, but the nonzero files hold 6 entries; a file is from another matrix, or nnz is wrong"},
      {"rowinfo_0", words({0, 2}),
       ": holds 2 positions, but writer 0 of 2 has 3 rows; the file is truncated, or metadata are wrong"},
      {"rowinfo_1", words({0, 1}) + "x",
       ": has 17 bytes, which is no multiple of 8; the file is truncated, or holds something else"},
      {"nonzero_1", words({49, 0, 7}) + "x",
       ": has 25 bytes, which is no multiple of 8; the file is truncated, or holds something else"},
      {"value_1", words({1, 2}), ": holds 2 values for 3 entries; the file is truncated, or nonzero_1 is"},
      {"rowinfo_1", words({1, 1}), ": row 3 begins at position 1, which is wrong: the first position is 0"},
      {"rowinfo_1", words({0, 4}), ": row 4 begins at position 4, which is wrong: the writer has 3 entries"},
      {"rowinfo_0", words({0, 2, 1}),
       ": row 2 begins at position 1, which is wrong: positions ascend, and the one before is 2"},
      {"rowinfo_1", words({0, -1}),
       ": row 4 begins at position -1, which is wrong: positions ascend, and the one before is 0"},
      {"nonzero_1", words({49, 50, 7}), ": entry 1 has column 50, which is out of range (the matrix has 50 columns)"},
      {"nonzero_0", words({1, 2, -1}), ": entry 2 has column -1, which is out of range (the matrix has 50 columns)"},
  };
  for (const bad_change& bad : changes) {
    write_matrix_directory(w, m, path, 2);
    EXPECT_TRUE(gather_entries(w, read_matrix_directory(w, path)) == all);
    folder.write(std::string("m/") + bad.file, bad.contents);
    EXPECT_EQ(setup_error_of(w, [&] { read_matrix_directory(w, path); }), path + "/" + bad.file + bad.expected);
  }
}

TEST_ON_PES(matrix_directory, reads_or_refuses_mutated_files) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("m");
  const entries all = {{0, 1, 1}, {0, 2, 2}, {2, 3, 3}, {3, 49, 4}, {4, 0, 5}, {4, 7, 6}};
  write_matrix_directory(w, matrix_of<weighted_entry>(w, layout::cyclic, all, 5, 50), path, 2);
  int n_refused = 0;
  std::uint64_t seed = 0;
  for (const char* const name : {"metadata", "rowinfo_0", "rowinfo_1", "nonzero_0", "nonzero_1", "value_1"}) {
    const std::string file = std::string("m/") + name;
    const std::string good = contents_of(folder.path_of(file));
    for (int i = 0; i < 40; ++i) {
      SCOPED_TRACE(testing::Message() << name << ", seed " << ++seed);
      folder.write(file, test::mutated(good, seed));
      const std::string text = setup_error_of(w, [&] {
        const sparse_matrix m = read_matrix_directory(w, path);
        EXPECT_EQ(n_entries(w, m), 6);
      });
      if (text.empty()) continue;
      ++n_refused;
      EXPECT_TRUE(text.starts_with(path + "/")) << text;
      EXPECT_EQ(text.find(" (PEs differ)"), text.npos) << text;
      EXPECT_EQ(text.find(" (several lines)"), text.npos) << text;
    }
    folder.write(file, good);
  }
  EXPECT_GT(n_refused, 100);
  EXPECT_TRUE(gather_entries(w, read_matrix_directory(w, path)) == all);
}

TEST_ON_PES(matrix_directory, names_the_file_that_is_missing) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("m");
  const sparse_matrix m = matrix_of<weighted_entry>(w, layout::block, {{0, 1, 1}, {4, 7, 6}}, 5, 50);
  EXPECT_EQ(setup_error_of(w, [&] { read_matrix_directory(w, path); }),
            path + "/metadata: cannot be opened: No such file or directory");
  for (const char* const name : {"rowinfo_0", "nonzero_0", "value_0"}) {
    write_matrix_directory(w, m, path, 2);
    if (w.my_pe() == 0) std::filesystem::remove(path + "/" + name);
    w.barrier();
    EXPECT_EQ(setup_error_of(w, [&] { read_matrix_directory(w, path); }),
              path + "/" + name +
                  ": cannot be opened on PE 0: No such file or directory; metadata announces it, and every PE needs "
                  "access to it");
  }
  // Of a writer without rows.
  write_matrix_directory(w, m, path, 6);
  folder.write("m/nonzero_5", words({1}));
  folder.write("m/value_5", words({1}));
  EXPECT_EQ(setup_error_of(w, [&] { read_matrix_directory(w, path); }),
            path + "/nonzero_5: holds 1 entries, but its writer has no rows");
}

TEST_ON_PES(matrix_directory, names_what_cannot_be_written) {
  world& w = world::current();
  temp_folder folder(w);
  const sparse_matrix m = matrix_of<weighted_entry>(w, layout::block, {{0, 1, 1}, {4, 7, 6}}, 5, 50);
  const std::string none = folder.path_of("none/m");
  EXPECT_EQ(
      setup_error_of(w, [&] { write_matrix_directory(w, m, none); }),
      none +
          ": cannot be made on PE 0: No such file or directory; name a directory in a folder that exists and that "
          "every PE may write to");
  const std::string file = folder.write("file", "x");
  EXPECT_EQ(setup_error_of(w, [&] { write_matrix_directory(w, m, file); }),
            file +
                ": cannot be made on PE 0: File exists; name a directory in a folder that exists and that every PE may "
                "write to");
  // A failure leaves no metadata, so that nobody takes the rest for a matrix.
  const std::string path = folder.path_of("m");
  write_matrix_directory(w, m, path, 1);
  if (w.my_pe() == 0) {
    std::filesystem::remove(path + "/value_0");
    std::filesystem::create_directory(path + "/value_0");
  }
  w.barrier();
  EXPECT_EQ(
      setup_error_of(w, [&] { write_matrix_directory(w, m, path, 1); }),
      path +
          "/value_0: cannot be created on PE 0: Is a directory; name a file in a folder that exists and that every "
          "PE may write to");
  EXPECT_FALSE(std::filesystem::exists(path + "/metadata"));
}

}  // namespace
}  // namespace shoal
