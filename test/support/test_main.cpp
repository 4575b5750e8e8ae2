// The main of tests of one process.
#include <gtest/gtest.h>

#include "test/support/source_filter.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return shoal::test::keep_tests_of_source() ? RUN_ALL_TESTS() : 1;
}
