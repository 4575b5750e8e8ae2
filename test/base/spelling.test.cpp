// Goal: a misspelt setting is distinguished from a program's own variable, even one with a similar name.
#include "shoal/base/internal/spelling.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace shoal {

using namespace internal;
namespace {

constexpr std::string_view settings[] = {
    "SHOAL_SUBSTRATE", "SHOAL_MPI",   "SHOAL_MODULES",    "SHOAL_BIND",      "SHOAL_PES",         "SHOAL_CORES",
    "SHOAL_MEMORY",    "SHOAL_SLOTS", "SHOAL_SLOT_BYTES", "SHOAL_NODE_SIZE", "SHOAL_HOPS",        "SHOAL_CODEC",
    "SHOAL_HEAP",      "SHOAL_STATS", "SHOAL_SEED",       "SHOAL_SIM",       "SHOAL_SHARED_SLOTS"};

std::string_view meant(std::string_view name) { return meant_name(name, settings); }

TEST(spelling, forgives_case_and_underscores) {
  EXPECT_EQ(meant("SHOAL_NODESIZE"), "SHOAL_NODE_SIZE");
  EXPECT_EQ(meant("shoal_pes"), "SHOAL_PES");
  EXPECT_EQ(meant("SHOALSUBSTRATE"), "SHOAL_SUBSTRATE");
  EXPECT_EQ(meant("SHOAL__M_P_I_"), "SHOAL_MPI");
}

TEST(spelling, forgives_a_letter_that_is_missing_added_wrong_or_swapped) {
  EXPECT_EQ(meant("SHOAL_SLOT"), "SHOAL_SLOTS");
  EXPECT_EQ(meant("SHOAL_HOP"), "SHOAL_HOPS");
  EXPECT_EQ(meant("SHOAL_NPES"), "SHOAL_PES");
  EXPECT_EQ(meant("SHOAL_CODAC"), "SHOAL_CODEC");
  EXPECT_EQ(meant("SHOAL_SEDE"), "SHOAL_SEED");
  EXPECT_EQ(meant("SHOAL_PSE"), "SHOAL_PES");
}

TEST(spelling, forgives_two_letters_in_long_names_only) {
  EXPECT_EQ(meant("SHOAL_SUBSRTATES"), "SHOAL_SUBSTRATE");
  EXPECT_EQ(meant("SHOAL_SHARE_SLOT"), "SHOAL_SHARED_SLOTS");
  EXPECT_EQ(meant("SHOAL_MEMRYS"), "SHOAL_MEMORY");
  EXPECT_EQ(meant("SHOAL_STACKS"), "");
  EXPECT_EQ(meant("SHOAL_MEMS"), "");
}

TEST(spelling, leaves_alone_what_a_program_may_well_call_its_own) {
  for (const char* name : {"SHOAL_HOME", "SHOAL_ROOT", "SHOAL_DIR", "SHOAL_LIB", "SHOAL_PATH", "SHOAL_MODE",
                           "SHOAL_SIZE", "SHOAL_DATA", "SHOAL_TEST", "SHOAL_PREFIX", "SHOAL_VERSION", "SHOAL_DEBUG",
                           "SHOAL_LOG", "SHOAL_", "SHOAL", "PES", "MYSHOAL_PES"}) {
    EXPECT_EQ(meant(name), "") << name;
  }
}

TEST(spelling, leaves_alone_what_the_build_tests_and_lab_of_shoal_use) {
  for (const char* name : {"SHOAL_SOURCE", "SHOAL_BUILD", "SHOAL_LAB", "SHOAL_LONG_TESTS", "SHOAL_TEST_SEED",
                           "SHOAL_TEST_SEEDS", "SHOAL_TEST_SHARE", "SHOAL_TEST_RUN", "SHOAL_REQUIRE", "SHOAL_WORD",
                           "SHOAL_CHECKED", "SHOAL_SANITIZE", "SHOAL_TOOLS", "SHOAL_TESTS", "SHOAL_WERROR"}) {
    EXPECT_EQ(meant(name), "") << name;
  }
}

TEST(spelling, finds_the_nearest_of_several) {
  EXPECT_EQ(meant("SHOAL_SLOTBYTE"), "SHOAL_SLOT_BYTES");
  constexpr std::string_view alike[] = {"SHOAL_DEPTHS", "SHOAL_DEPTH_2"};
  EXPECT_EQ(meant_name("SHOAL_DEPTH2", alike), "SHOAL_DEPTH_2");
}

}  // namespace
}  // namespace shoal
