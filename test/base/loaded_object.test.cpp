// Goal: an address, a note and an identity belong to the object that has them.
#include "shoal/base/internal/loaded_object.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "shoal/actor/internal/single_copy.hpp"

namespace shoal {

using namespace internal;
namespace {

int of_the_program = 1;

TEST(loaded_object, the_program_has_its_variables) {
  const loaded_object found = object_with(&of_the_program);
  EXPECT_TRUE(found.is_program);
  EXPECT_EQ(found.path, "the program");
  EXPECT_NE(found.identity, 0u);
  EXPECT_EQ(found.identity, program_object().identity);
}

TEST(loaded_object, a_library_is_another_object) {
  const loaded_object found = object_with(stdout);
  EXPECT_FALSE(found.is_program);
  EXPECT_NE(found.path.find("libc"), std::string::npos) << found.path;
  EXPECT_NE(found.identity, program_object().identity);
}

TEST(loaded_object, the_stack_belongs_to_none) {
  const int local = 0;
  const loaded_object found = object_with(&local);
  EXPECT_EQ(found.path, "");
  EXPECT_EQ(found.identity, 0u);
  EXPECT_FALSE(found.is_program);
}

// Whatever links Shoal is the only object here that has its note, and every object has the compiler's.
TEST(loaded_object, notes_are_found_by_name) {
  refuse_second_copy();  // links what has the note
  EXPECT_EQ(objects_with_note("Shoal"), std::vector<std::string>{"the program"});
  EXPECT_GE(objects_with_note("GNU").size(), 2u);
  EXPECT_TRUE(objects_with_note("Shoa").empty());
}

}  // namespace
}  // namespace shoal
