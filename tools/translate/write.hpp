/// Writes a program with its plan: closures become messages of selectors.
#pragma once

#include <string>
#include <vector>

#include "tools/translate/plan.hpp"

namespace shoal::translate {

struct edit {
  range at;
  std::string text;
};

/// The edits that make the new source, by position. None: nothing is translated.
std::vector<edit> edits_of(const program& from, const std::vector<selector_plan>& plans);

/// Whether two of them, by position, change the same text.
bool overlap(const std::vector<edit>& edits);

/// One line for each closure: where, bytes before and after.
std::string report_of(const program& from, const std::vector<selector_plan>& plans);

}  // namespace shoal::translate
