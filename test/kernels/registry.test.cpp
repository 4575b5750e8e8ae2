// The registry has every kernel that has a folder: otherwise the command does not know it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "kernels/kernel.hpp"

namespace shoal::kernels {
namespace {

TEST(registry, has_every_kernel_that_has_a_folder) {
  const char* const source = std::getenv("SHOAL_SOURCE");
  ASSERT_NE(source, nullptr);
  std::set<std::string> folders;
  for (const auto& each : std::filesystem::directory_iterator(std::filesystem::path(source) / "kernels")) {
    if (each.is_directory()) folders.insert(each.path().filename());
  }
  std::set<std::string> names;
  for (const kernel_description& kernel : all_kernels()) names.insert(kernel.name);
  EXPECT_EQ(names, folders);
}

}  // namespace
}  // namespace shoal::kernels
