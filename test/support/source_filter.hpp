/// Programs of several sources of tests (cmake/shoal_test.cmake).
#pragma once

namespace shoal::test {

/// Makes GoogleTest run only the tests of the source that SHOAL_TEST_SOURCE names, for example
/// `test/graph/names.test.cpp`. Without it, all; --gtest_filter goes before it, as tests start their own program with one.
/// After InitGoogleTest. False, with a line on stderr: there are none.
bool keep_tests_of_source();

}  // namespace shoal::test
