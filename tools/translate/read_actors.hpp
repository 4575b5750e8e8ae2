/// Reads lambda_actors whose place a selector can take, wherever they are sent to: members of classes, and variables
/// that get one kind of closure.
#pragma once

#include "tools/translate/program.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// The sends that are read, and members that are refused with a reason.
struct read_actor_sends {
  std::set<const clang::CallExpr*> read;
  std::set<const clang::ValueDecl*> told;
};

read_actor_sends read_actors(const clang::ASTContext& context, const source_text& text, const findings& found,
                             bool any_order, program& into);

}  // namespace shoal::translate
