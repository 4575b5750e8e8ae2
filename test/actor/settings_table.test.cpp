// Goal: README.md lists the settings as the table that reads them does.
#include "shoal/actor/settings_table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace shoal {
namespace {

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(std::string(std::getenv("SHOAL_SOURCE")) + "/" + file).rdbuf();
  return text.str();
}

std::string row_of(const settings_variable& v) {
  std::ostringstream row;
  row << "| `" << v.name << "` | " << v.help << " | " << v.values << " | " << v.default_text << " |\n";
  return row.str();
}

TEST(settings_table, is_that_of_the_readme) {
  std::string table = "| variable | meaning | values | default |\n|---|---|---|---|\n";
  for (const settings_variable& v : settings_variables()) {
    if (!v.is_internal) table += row_of(v);
  }
  EXPECT_NE(text_of("README.md").find("\n\n" + table + "\n"), std::string::npos) << "README.md wants:\n" << table;
}

TEST(settings_table, has_each_variable_once) {
  std::set<std::string_view> names;
  for (const settings_variable& v : settings_variables()) {
    EXPECT_TRUE(names.insert(v.name).second) << v.name;
    EXPECT_TRUE(v.name.starts_with("SHOAL_"));
  }
}

TEST(settings_table, notes_where_a_value_is_from) {
  for (const settings_variable& v : settings_variables()) {
    if (v.name != "SHOAL_HOPS") continue;
    settings chosen;
    v.read("2", chosen);
    EXPECT_EQ(chosen.n_hops.value, 2);
    EXPECT_EQ(chosen.n_hops.origin, "SHOAL_HOPS");
  }
}

}  // namespace
}  // namespace shoal
