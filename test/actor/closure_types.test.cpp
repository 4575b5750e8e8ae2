// Goal: numbers of closures name them, none is 0, and what has no number is said. test/plugins tests several objects.
#include "shoal/actor/internal/closure_types.hpp"

#include <gtest/gtest.h>

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/shoal.hpp"

namespace shoal {

using namespace internal;
namespace {

constexpr std::uint32_t n_most = 65'536;

TEST(closure_types, of_the_program_are_known_by_number) {
  if (closures_of_program().n == 0) closures_here.add({.name = "one"});
  const closure_range all = closures_of_program();
  ASSERT_GT(all.n, 0u);
  EXPECT_NE(all.first, 0u);
  EXPECT_EQ(all.first % n_most, 0u);
  EXPECT_TRUE(all.has(all.first));
  EXPECT_TRUE(all.has(all.first + all.n - 1));
  EXPECT_FALSE(all.has(all.first + all.n));
  EXPECT_FALSE(all.has(all.first - 1));
  EXPECT_FALSE(all.has(0));
  EXPECT_EQ(closures_with(all.first).types, all.types);
  EXPECT_EQ(unknown_closure(all.first + n_most - 1),
            "a closure that the program does not have; let all PEs run the same binary");
}

TEST(closure_types, of_no_object_have_no_range) {
  closures_here.add({.name = "one"});
  const std::uint32_t elsewhere = closures_of_program().first ^ 0x8000'0000;
  EXPECT_EQ(closures_with(elsewhere).n, 0u);
  EXPECT_EQ(closures_with(0).n, 0u);
  EXPECT_EQ(kind_of_closures(elsewhere), nullptr);
  EXPECT_EQ(
      unknown_closure(elsewhere),
      "a closure of a library that is not open here; let all PEs run the same binary, and open a plugin before any "
      "PE sends its closures");
}

TEST(closure_types, more_than_numbers_are_refused) {
  const auto add_too_many = [] {
    for (std::uint32_t i = 0; i <= n_most; ++i) closures_here.add({.name = "the_last"});
  };
  EXPECT_EXIT(
      add_too_many(), testing::ExitedWithCode(status_usage),
      "shoal: the program has more than 65536 types of closures, of which one is the_last; move some of them to "
      "a shared library");
}

}  // namespace
}  // namespace shoal
