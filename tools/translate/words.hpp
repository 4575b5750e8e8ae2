#pragma once

#include <string>

namespace shoal::translate {

/// Whether `word` stands in `text`, and not as a part of a longer name.
bool has_word(const std::string& text, const std::string& word);

}  // namespace shoal::translate
