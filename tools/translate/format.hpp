/// Applies edits, formats what they changed, and says which lines come from where.
#pragma once

#include <string>
#include <vector>

#include "tools/translate/write.hpp"

namespace shoal::translate {

/// The new source. Its changed lines have the style of the .clang-format that is nearest to `file`, or Shoal's.
std::string apply(const std::string& file, const std::string& source, const std::vector<edit>& edits);

/// `made` with #line directives, so that compilers and debuggers name lines of `file`, whose text is `source`.
std::string with_line_directives(const std::string& made, const std::string& source, const std::string& file);

}  // namespace shoal::translate
