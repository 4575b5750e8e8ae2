/// Help for users who mistype a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shoal::cli {

/// "a, b, c".
std::string joined(const std::vector<std::string>& words);

/// The end of a complaint about an unknown word: "; did you mean histogram? (known: …)".
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace shoal::cli
