/// The headers that translated loops need.
#pragma once

#include <vector>

#include "tools/translate/loop.hpp"
#include "tools/translate/write.hpp"

namespace shoal::translate {

/// Adds includes to `made`, which are all edits that the loops have made.
void add_includes(const program& from, const source_loops& loops, std::vector<edit>& made);

}  // namespace shoal::translate
