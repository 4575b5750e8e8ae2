#include "shoal/actor/internal/statistics.hpp"

#include <gtest/gtest.h>

#include <string>

#include "shoal/conveyor/stream_counts.hpp"

namespace shoal::internal {
namespace {

TEST(statistics, write_control_characters_of_names_out) {
  const std::string table = format_statistics({{.name = "red \x1b[31m", .position = 2, .counts = {.n_sent = 7}}}, {});
  EXPECT_EQ(table.find('\x1b'), std::string::npos);
  EXPECT_NE(table.find("  red \\x1b[31m, hop 2\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace shoal::internal
