/// Help for those who mistype a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shoal::cli {

/// "a, b, c".
std::string joined(const std::vector<std::string>& words);

/// What follows the complaint about an unknown word: "; did you mean histogram? (known: …)".
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace shoal::cli
