/// The environment of this process. No other file of the library calls getenv (the test `layering` checks it).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace shoal {

/// The text of a variable; null if it is not set or empty. Local.
const char* environment_text(const char* variable) noexcept;

/// The whole number, 0 or more, that a variable holds; -1 if it holds none or is not set. Local.
std::int64_t environment_number(const char* variable) noexcept;

/// Throws setup_error if a variable looks like a misspelling of one among `known` (spelling.hpp) and is none of them: it
/// would change nothing and say nothing. Those in `suggested` are what the message may name. Local.
void refuse_misspelt_variables(std::span<const std::string_view> known, std::span<const std::string_view> suggested);

/// The path of program `name`, found as the shell finds it; empty if there is none. Local.
std::string program_in_path(const std::string& name);

}  // namespace shoal
