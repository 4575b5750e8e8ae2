/// Text of others (names of files and vertices, values of variables) for terminals and for JSON.
#pragma once

#include <string>
#include <string_view>

namespace shoal::internal {

/// `text` without what would steer a terminal: control characters are written \n, \t or \x1b, and so are bytes that are
/// not UTF-8. Other characters stay. Local.
std::string printable(std::string_view text);

/// The same, but line ends stay.
std::string printable_lines(std::string_view text);

/// `text` as UTF-8: each byte that is not becomes the replacement character U+FFFD. Local.
std::string as_utf8(std::string_view text);

/// A JSON string with its quotes, escaped, as UTF-8. Local.
std::string json_string(std::string_view text);

}  // namespace shoal::internal
