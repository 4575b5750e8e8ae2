/// Cuts a loop's code where it waits: what follows one-sided access with a result becomes the rest of a step.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include "tools/translate/loop_touches.hpp"

namespace shoal::translate {

/// Fills the text, the variables and the steps of `into`. Returns what its code touches. Throws loop_refusal.
touches cut(clang::ASTContext& context, const source_text& text, const loop_scope& scope, loop& into);

}  // namespace shoal::translate
