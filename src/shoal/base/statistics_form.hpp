/// The forms of the statistics, for settings.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace shoal {

/// The table is for people and leaves out or rounds some of the numbers; the others are for programs.
enum class statistics_form : std::uint8_t { none, table, csv, json };

struct statistics_form_entry {
  statistics_form id;
  std::string_view name;  // in SHOAL_STATS
};
inline constexpr std::array<statistics_form_entry, 4> known_statistics_forms = {{
    {statistics_form::none, "0"},
    {statistics_form::table, "1"},
    {statistics_form::csv, "csv"},
    {statistics_form::json, "json"},
}};

}  // namespace shoal
