/// Groups the closures of a program by the superstep that ends them.
#pragma once

#include "tools/translate/program.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// Adds supersteps and refusals.
void read_supersteps(const clang::ASTContext& context, const source_text& text, const findings& found, program& into);

}  // namespace shoal::translate
