/// The environment of this process. No other file of the library calls getenv (the test `layering` checks it).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace shoal::internal {

/// The value of a variable; null if it is unset or empty. Local.
const char* environment_text(const char* variable) noexcept;

/// The whole number, 0 or more, in a variable; -1 if it holds none or is unset. Local.
std::int64_t environment_number(const char* variable) noexcept;

/// Throws setup_error if a variable is not in `known` but looks like a misspelling of an entry (spelling.hpp): it would
/// be ignored silently. The message suggests only variables in `suggested`. Local.
void refuse_misspelt_variables(std::span<const std::string_view> known, std::span<const std::string_view> suggested);

/// Whether this program has privileges that the user who started it does not have (setuid, capabilities). Local.
bool has_privileges_of_others() noexcept;

/// Throws setup_error if a variable of `trusted` is set in such a program: its user would decide what code it runs and
/// whose memory it shares. Local.
void refuse_strangers_variables(std::span<const std::string_view> trusted);

/// The path of program `name`, found as the shell finds it; empty if there is none. Local.
std::string program_in_path(const std::string& name);

}  // namespace shoal::internal
