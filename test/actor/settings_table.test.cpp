// Goal: docs/settings.md lists the settings as the table that reads them does, and README.md eight of them.
#include "shoal/actor/internal/settings_table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

namespace shoal {

using namespace internal;
namespace {

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(std::string(std::getenv("SHOAL_SOURCE")) + "/" + file).rdbuf();
  return text.str();
}

std::string row_of(const settings_variable& v) {
  std::ostringstream row;
  const std::string unit = v.unit.empty() ? "" : std::string(v.unit) + ", ";
  row << "| `" << v.name << "` | " << v.help << " | " << unit << v.values() << " | " << v.default_text << " |\n";
  return row.str();
}

// Whether `page` has a table of exactly these settings.
void expect_table(const std::string& page, const std::function<bool(const settings_variable&)>& is_in_it) {
  std::string table = "| variable | meaning | values | default |\n|---|---|---|---|\n";
  for (const settings_variable& v : settings_variables()) {
    if (is_in_it(v)) table += row_of(v);
  }
  // Links are relative to the folder of the page.
  const std::string from_docs = "](";
  for (std::size_t at = 0; page == "README.md" && (at = table.find(from_docs, at)) != std::string::npos; ++at) {
    table.insert(at + from_docs.size(), "docs/");
  }
  EXPECT_NE(text_of(page).find("\n\n" + table + "\n"), std::string::npos) << page << " wants:\n" << table;
}

TEST(settings_table, is_that_of_the_page_of_settings) {
  expect_table("docs/settings.md", [](const settings_variable& v) { return !v.is_internal; });
}

TEST(settings_table, has_the_eight_that_the_readme_shows) {
  const std::set<std::string_view> shown = {"SHOAL_SUBSTRATE",   "SHOAL_PES",   "SHOAL_MEMORY",   "SHOAL_HEAP",
                                            "SHOAL_MAX_LATENCY", "SHOAL_STATS", "SHOAL_DEBUG_PE", "SHOAL_SEED"};
  expect_table("README.md", [&](const settings_variable& v) { return shown.contains(v.name); });
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
    v.read(v.name, "2", chosen);
    EXPECT_EQ(chosen.n_hops.value, 2);
    EXPECT_EQ(chosen.n_hops.origin, "SHOAL_HOPS");
  }
}

}  // namespace
}  // namespace shoal
