/// Groups the closures of a program by the superstep that ends them.
#pragma once

#include "tools/translate/program.hpp"
#include "tools/translate/read_actors.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// Adds supersteps and refusals of all sends but those of `actors`.
void read_supersteps(const clang::ASTContext& context, const source_text& text, const findings& found,
                     const read_actor_sends& actors, bool any_order, program& into);

}  // namespace shoal::translate
