/// JSON values as text. The command's output is flat enough to be written by hand.
#pragma once

#include <string>
#include <string_view>

#include "shoal/base/internal/quoting.hpp"

namespace shoal::cli {

using internal::json_string;

/// The shortest text that reads back as the same number; `null` if it is not finite.
std::string json_number(double value);

/// An option's value: a number if it is valid JSON as one, else a string.
std::string json_value(std::string_view text);

}  // namespace shoal::cli
