/// What happens to a job that cannot go on, for settings.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace shoal {

/// All PEs say what they wait for. Then the job ends, aborts for a core file, or stays for a debugger.
enum class stall_action : std::uint8_t { report, abort, debug };

struct stall_action_entry {
  stall_action id;
  std::string_view name;  // in SHOAL_ON_STALL
};
inline constexpr std::array<stall_action_entry, 3> known_stall_actions = {{
    {stall_action::report, "report"},
    {stall_action::abort, "abort"},
    {stall_action::debug, "debug"},
}};

}  // namespace shoal
