/// Members that name an actor: by `there.replies.send(…)` a closure sends one that another actor of its function gets.
#pragma once

#include "tools/translate/program.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// The member of reference type to a lambda_actor that an expression names; null if it is none.
const clang::FieldDecl* tie_of(const clang::Expr* e);

/// The variable that the member names in the object of `actor`, on each PE that PE's own. Throws not_readable.
const clang::VarDecl* tied_actor(const clang::FieldDecl* member, const clang::VarDecl* actor);

/// What each object of the class binds the member to.
std::vector<const clang::Expr*> bound_to(const clang::FieldDecl* member, const findings& found);

/// What has to go with the member: its declaration, and what binds it. Throws not_readable.
std::vector<range> text_of_tie(const clang::FieldDecl* member, const source_text& text, const findings& found);

}  // namespace shoal::translate
