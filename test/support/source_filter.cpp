#include "test/support/source_filter.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace shoal::test {

bool keep_tests_of_source() {
  const char* source = std::getenv("SHOAL_TEST_SOURCE");
  if (source == nullptr || testing::GTEST_FLAG(filter) != "*") return true;
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (std::string_view(test.file()).ends_with(source))
        filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  if (filter.empty()) std::fprintf(stderr, "this program has no test from SHOAL_TEST_SOURCE=%s\n", source);
  testing::GTEST_FLAG(filter) = filter;
  return !filter.empty();
}

}  // namespace shoal::test
