// Goal: the form of a file is found by its name or its begin, the same on every PE, and what cannot be read is named.
// pes: 1 2 3 4 7
#include "shoal/graph/matrix_form.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "shoal/base/setup_error.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

using test::temp_folder;

TEST_ON_PES(matrix_form, is_found_by_name_or_by_begin) {
  world& w = world::current();
  temp_folder folder(w);
  const auto form = [&](const char* name, const char* text) { return find_matrix_form(w, folder.write(name, text)); };
  EXPECT_EQ(form("a.mtx", "1 2\n"), matrix_form::matrix_market) << "so its reader says what is wrong with it";
  EXPECT_EQ(form("a.mtx.gz", ""), matrix_form::matrix_market);
  EXPECT_EQ(form("a", "%%MatrixMarket matrix coordinate pattern general\n"), matrix_form::matrix_market);
  EXPECT_EQ(form("a.txt", "%%matrixmarket"), matrix_form::matrix_market);
  EXPECT_EQ(form("a.txt", "%%matrixmarke"), matrix_form::edge_list);
  EXPECT_EQ(form("a.txt", "% a comment\n1 2\n"), matrix_form::edge_list);
  EXPECT_EQ(form("a.txt", ""), matrix_form::edge_list);
}

TEST_ON_PES(matrix_form, is_found_in_compressed_text) {
  world& w = world::current();
  if (!test::reads_gzip(w)) GTEST_SKIP();
  temp_folder folder(w);
  if (w.my_pe() == 0) {
    std::filesystem::copy_file(test::data_path("debian-depends.mtx.gz"), folder.path_of("graph.gz"));
    std::filesystem::copy_file(test::data_path("debian-depends.names.gz"), folder.path_of("names.gz"));
  }
  w.barrier();
  EXPECT_EQ(find_matrix_form(w, folder.path_of("graph.gz")), matrix_form::matrix_market);
  EXPECT_EQ(find_matrix_form(w, folder.path_of("names.gz")), matrix_form::edge_list);
}

TEST_ON_PES(matrix_form, of_a_directory_is_binary_files) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("m.mtx");
  if (w.my_pe() == 0) std::filesystem::create_directory(path);
  w.barrier();
  EXPECT_EQ(find_matrix_form(w, path), matrix_form::directory);
}

TEST_ON_PES(matrix_form, of_nothing_is_an_error_everywhere) {
  world& w = world::current();
  temp_folder folder(w);
  const std::string path = folder.path_of("missing.txt");
  try {
    find_matrix_form(w, path);
    ADD_FAILURE() << "no error";
  } catch (const setup_error& e) {
    EXPECT_EQ(std::string(e.what()), path + ": cannot be opened: No such file or directory");
  }
}

}  // namespace
}  // namespace shoal
