/// Finds loops with one-sided access.
#pragma once

#include <clang/AST/ASTContext.h>

#include <vector>

#include "tools/translate/loop.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// Loops that can be translated. Refusals of others are added to `into`. `pragmas`: offsets of `#pragma shoal independent`.
source_loops read_loops(clang::ASTContext& context, const source_text& text, const findings& found,
                        const std::vector<std::size_t>& pragmas, program& into);

}  // namespace shoal::translate
