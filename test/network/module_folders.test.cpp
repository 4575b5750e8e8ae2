// Where modules are looked for, by what is known of the process. Goal: a moved tree has its own modules, and no user
// chooses modules of a program with more privileges. test/package does so with real trees.
#include "shoal/substrate/internal/network/module_folders.hpp"

#include <gtest/gtest.h>

namespace shoal::internal::network {
namespace {

using folders = std::vector<std::filesystem::path>;

library_place program_at(const char* path, const char* headers = "") {
  library_place place;
  place.object = path;
  place.is_program = true;
  place.headers = headers;
  return place;
}

// Without the last one, that of the prefix which Shoal was configured for.
folders before_configured(const library_place& place) {
  folders found = module_folders(place);
  EXPECT_TRUE(found.back().is_absolute());
  found.pop_back();
  return found;
}

TEST(module_folders, are_beside_a_program_then_beside_its_headers) {
  const library_place place =
      program_at("/nowhere/a/bin/program", "/nowhere/b/include/shoal/base/internal/headers_place.hpp");
  EXPECT_EQ(before_configured(place), (folders{"/nowhere/a/lib/shoal", "/nowhere/b/lib/shoal"}));
}

TEST(module_folders, are_listed_once) {
  const library_place place =
      program_at("/nowhere/a/bin/program", "/nowhere/a/include/shoal/base/internal/headers_place.hpp");
  EXPECT_EQ(before_configured(place), folders{"/nowhere/a/lib/shoal"});
}

TEST(module_folders, are_beside_a_shared_library) {
  library_place place;
  place.object = "/nowhere/a/lib64/libshoal.so.0.1";
  EXPECT_EQ(before_configured(place), folders{"/nowhere/a/lib64/shoal"});
}

TEST(module_folders, of_a_program_with_privileges_are_not_beside_it) {
  library_place place =
      program_at("/nowhere/a/bin/program", "/nowhere/b/include/shoal/base/internal/headers_place.hpp");
  place.is_trusted = false;
  EXPECT_EQ(before_configured(place), folders{"/nowhere/b/lib/shoal"});
}

// Some builds replace paths that their results would name.
TEST(module_folders, need_absolute_paths_of_headers) {
  for (const char* headers : {"include/shoal/base/internal/headers_place.hpp", "/nowhere/b/other.hpp", ""}) {
    EXPECT_EQ(before_configured(program_at("/nowhere/a/bin/program", headers)), folders{"/nowhere/a/lib/shoal"})
        << headers;
  }
}

TEST(module_folders, of_this_program_are_known) {
  const library_place place = place_of_library();
  EXPECT_TRUE(place.is_program);
  EXPECT_TRUE(place.is_trusted);
  EXPECT_EQ(place.object, std::filesystem::read_symlink("/proc/self/exe"));
}

}  // namespace
}  // namespace shoal::internal::network
