/// Plans and writes loops as selectors.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tools/translate/loop.hpp"
#include "tools/translate/write.hpp"

namespace shoal::translate {

/// Adds what `loops` become to `edits`, which other parts of the program have made. Returns the report.
std::string add_loops(const program& from, const source_loops& loops, std::vector<edit>& edits);

}  // namespace shoal::translate
