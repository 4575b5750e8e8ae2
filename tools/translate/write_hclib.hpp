/// Writes lambdas of HClib as handlers of a class.
#pragma once

#include <string>
#include <vector>

#include "tools/translate/plan_hclib.hpp"
#include "tools/translate/write.hpp"

namespace shoal::translate {

/// The edits that make the new source, by position. None: nothing is translated.
std::vector<edit> hclib_edits_of(const program& from, const std::vector<hclib_plan>& plans);

/// One line for each lambda: where, bytes before and after.
std::string hclib_report_of(const program& from, const std::vector<hclib_plan>& plans);

}  // namespace shoal::translate
