/// Finds the selectors of HClib that get lambdas (USE_LAMBDA).
#pragma once

#include "tools/translate/program.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// Adds all selectors of the file, or none and a refusal: the macro USE_LAMBDA holds for all.
void read_hclib(const clang::ASTContext& context, const source_text& text, const findings& found, program& into);

}  // namespace shoal::translate
