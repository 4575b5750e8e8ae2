// Goal: PE 0 gets the names in order, other PEs get none. Errors are in bad_input.test.cpp.
// pes: 1 2 3 4 7
// labels: threads
#include "shoal/graph/names.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

using test::temp_folder;

TEST_ON_PES(read_names, gives_pe_0_the_names_in_order) {
  world& w = world::current();
  temp_folder folder(w);
  const std::vector<std::string> expected = {"libc6", "g++ (12)", "größer"};
  for (const char* text :
       {"libc6\ng++ (12)\ngrößer\n", "libc6\r\ng++ (12)\r\ngrößer", "libc6\ng++ (12)\r\ngrößer\r\n"}) {
    const auto names = read_names(w, folder.write("names", text), 3);
    EXPECT_EQ(names, w.my_pe() == 0 ? expected : std::vector<std::string>{});
  }
  EXPECT_TRUE(read_names(w, folder.write("names", ""), 0).empty());
}

TEST_ON_PES(read_names, reads_the_names_of_the_debian_packages) {
  if (!test::reads_gzip(world::current())) GTEST_SKIP();
  world& w = world::current();
  const auto names = read_names(w, test::data_path("debian-depends.names.gz"), 63'666);
  if (w.my_pe() != 0) return;
  ASSERT_EQ(names.size(), 63'666u);
  EXPECT_EQ(names[0], "0ad");
}

}  // namespace
}  // namespace shoal
