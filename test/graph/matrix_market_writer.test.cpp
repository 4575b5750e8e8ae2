// Goal: what is written is the matrix, as text that other programs read; a failure leaves no file.
// pes: 1 2 3 4 7
// labels: threads
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "shoal/graph/internal/output_file.hpp"
#include "shoal/graph/matrix_market.hpp"
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

struct text_matrix {
  std::string banner;
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  std::int64_t n_entries = 0;
  entries all;
};

// Reads serially what the writer writes.
text_matrix read_serially(const std::string& path) {
  std::ifstream file(path);
  text_matrix m;
  std::getline(file, m.banner);
  file >> m.n_rows >> m.n_columns >> m.n_entries;
  weighted_entry e;
  const bool has_values = m.banner.find("real") != m.banner.npos;
  while (file >> e.row >> e.column) {
    std::string value = "1";
    if (has_values) file >> value;
    m.all.push_back({e.row - 1, e.column - 1, std::stod(value)});
  }
  std::sort(m.all.begin(), m.all.end());
  return m;
}

entries with_ones(entries all) {
  for (weighted_entry& e : all) e.value = 1;
  std::sort(all.begin(), all.end());
  return all;
}

struct shape {
  std::int64_t n_rows;
  std::int64_t n_columns;
  std::size_t n_entries;
};

TEST_ON_PES(write_matrix_market, writes_what_reads_back) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("out.mtx");
  for (const shape s : {shape{0, 0, 0},
                        {5, 0, 0},
                        {0, 5, 0},
                        {3, 4, 0},
                        {1, 1, 1},
                        {2, 1000, 7},
                        {1000, 3, 50},
                        {40, 40, 200},
                        {997, 100'000'000, 30'000}}) {
    for (const layout kind : {layout::cyclic, layout::block}) {
      SCOPED_TRACE(testing::Message() << s.n_rows << " x " << s.n_columns << " layout " << static_cast<int>(kind));
      entries all = random_entries(7, s.n_entries, s.n_rows + (s.n_rows == 0), s.n_columns + (s.n_columns == 0));
      std::sort(all.begin(), all.end());
      for (const bool has_values : {false, true}) {
        const sparse_matrix m = has_values ? matrix_of<weighted_entry>(w, kind, all, s.n_rows, s.n_columns)
                                           : matrix_of<entry>(w, kind, all, s.n_rows, s.n_columns);
        write_matrix_market(w, m, path);
        const text_matrix text = read_serially(path);
        EXPECT_EQ(text.banner,
                  std::string("%%MatrixMarket matrix coordinate ") + (has_values ? "real" : "pattern") + " general");
        EXPECT_EQ(text.n_rows, s.n_rows);
        EXPECT_EQ(text.n_columns, s.n_columns);
        EXPECT_EQ(text.n_entries, static_cast<std::int64_t>(s.n_entries));
        EXPECT_TRUE(text.all == (has_values ? all : with_ones(all)));
        const sparse_matrix again = read_matrix_market(w, path, {.rows = kind, .with_duplicates = true});
        EXPECT_TRUE(again.offsets == m.offsets && again.columns == m.columns && again.values == m.values);
        EXPECT_EQ(again.has_values, has_values);
        EXPECT_FALSE(std::filesystem::exists(path + ".part"));
        w.barrier();
      }
    }
  }
}

std::string contents_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST_ON_PES(write_matrix_market, writes_the_shortest_form_of_values) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("out.mtx");
  const entries all = {{0, 0, 0.1}, {0, 1, -0.0},      {0, 2, 1e300},          {0, 3, 5e-324},       {0, 9, 1.0 / 3},
                       {0, 99, 3},  {0, 999, -2.5e-7}, {0, 9999, 123456789.0}, {0, 99999, 1.5e-310}, {0, 999999, 1e22}};
  write_matrix_market(w, matrix_of<weighted_entry>(w, layout::block, all, 1, 1'000'000), path);
  EXPECT_EQ(contents_of(path),
            "%%MatrixMarket matrix coordinate real general\n1 1000000 10\n1 1 0.1\n1 2 -0\n1 3 1e+300\n1 4 5e-324\n"
            "1 10 0.3333333333333333\n1 100 3\n1 1000 -2.5e-07\n1 10000 123456789\n1 100000 1.5e-310\n"
            "1 1000000 1e+22\n");
  EXPECT_TRUE(gather_entries(w, read_matrix_market(w, path)) == all);
}

TEST_ON_PES(write_matrix_market, replaces_a_file_and_leaves_it_after_a_failure) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.write("out.mtx", std::string(1000, 'x'));
  write_matrix_market(w, matrix_of<entry>(w, layout::cyclic, {{1, 2, 0}}, 3, 3), path);
  const std::string text = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n2 3\n";
  EXPECT_EQ(contents_of(path), text);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      setup_error_of(
          w,
          [&] { write_matrix_market(w, matrix_of<weighted_entry>(w, layout::block, {{1, 2, infinity}}, 3, 3), path); }),
      path +
          ": the value of row 2, column 3 is infinite; the format has finite numbers only, so replace it or leave "
          "the entry out");
  EXPECT_EQ(
      setup_error_of(w,
                     [&] {
                       write_matrix_market(
                           w,
                           matrix_of<weighted_entry>(
                               w, layout::block, {{0, 0, 1}, {2, 0, std::numeric_limits<double>::quiet_NaN()}}, 3, 3),
                           path);
                     }),
      path +
          ": the value of row 3, column 1 is not a number; the format has finite numbers only, so replace it or "
          "leave the entry out");
  EXPECT_EQ(contents_of(path), text);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST_ON_PES(write_matrix_market, names_files_that_cannot_be_written) {
  world& w = world::current();
  temp_folder folder(w);
  const sparse_matrix m = matrix_of<entry>(w, layout::cyclic, {{1, 2, 0}}, 3, 3);
  const auto error_at = [&](const std::string& path) {
    return setup_error_of(w, [&] { write_matrix_market(w, m, path); });
  };
  const std::string none = folder.path_of("none/out.mtx");
  EXPECT_EQ(error_at(none), none +
                                ".part: cannot be created on PE 0: No such file or directory; name a file in a folder "
                                "that exists and that every PE may write to");
  EXPECT_EQ(error_at(folder.path_of("")), folder.path_of("") + ": is a directory; name a file in it");
  EXPECT_EQ(error_at("/dev/null"), "/dev/null: is not a regular file; write to one first");
  EXPECT_EQ(error_at("out.mtx.gz"),
            "out.mtx.gz: names a compressed file, but this writes plain text; leave out .gz, and compress the file "
            "later");
}

// A limit of the process stands for a full disk.
TEST_ON_PES(write_matrix_market, tells_a_full_disk) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("out.mtx");
  const entries all = random_entries(1, 30'000, 1000, 1000);
  const sparse_matrix m = matrix_of<weighted_entry>(w, layout::cyclic, all, 1000, 1000);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  w.barrier();
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{64 * 1024, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  w.barrier();
  const std::string text = setup_error_of(w, [&] { write_matrix_market(w, m, path); });
  w.barrier();
  ::setrlimit(RLIMIT_FSIZE, &before);
  if (handler != SIG_ERR && w.my_pe() == 0) std::signal(SIGXFSZ, handler);
  EXPECT_EQ(text, path +
                      ".part: cannot be written on PE 0: File too large; free space there, or write to another file "
                      "system");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path_of("")));
}

// Another PE than 0 fails, after the file was made.
TEST_ON_PES(write_shared_file, removes_the_file_if_a_pe_fails) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("out");
  const pe_id failing = w.n_pes() - 1;
  const auto failure = [&] {
    internal::write_shared_file(w, path, 1, [&](internal::part_writer& into) {
      if (w.my_pe() == failing) throw internal::input_error(0, "fails");
      into.append(std::string_view("x"));
    });
  };
  EXPECT_EQ(setup_error_of(w, failure), path + ".part: fails");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path_of("")));
}

// As on a machine that has a file of this name on a disk of its own.
TEST_ON_PES(write_shared_file, tells_another_file_of_the_same_name) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("out");
  const pe_id failing = w.n_pes() - 1;
  const auto failure = [&] {
    internal::write_shared_file(w, path, 1, [&](internal::part_writer& into) {
      w.barrier();
      if (w.my_pe() == failing) std::filesystem::resize_file(path + ".part", 99);
      if (w.my_pe() == failing) into.append(std::string_view("x"));
    });
  };
  EXPECT_EQ(setup_error_of(w, failure), path + ".part: is on PE " + std::to_string(failing) +
                                            " another file than on PE 0; name a file in a folder that all PEs share");
  EXPECT_EQ(setup_error_of(w,
                           [&] {
                             internal::write_shared_file(w, path, 1, [&](internal::part_writer& into) {
                               w.barrier();
                               if (w.my_pe() == 0) ::unlink((path + ".part").c_str());
                               w.barrier();
                               if (w.my_pe() == failing) into.append(std::string_view("x"));
                             });
                           }),
            path + ".part: cannot be opened on PE " + std::to_string(failing) +
                ": No such file or directory; name a file in a folder that exists and that every PE may write to");
}

}  // namespace
}  // namespace shoal
