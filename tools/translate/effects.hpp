/// What a closure's body may read and write, so that closures that touch the same thing keep their order.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <set>
#include <string>

#include "tools/translate/program.hpp"

namespace shoal::translate {

/// What names stand for in a closure.
struct effect_scope {
  const clang::VarDecl* object = nullptr;  // the parameter for the actor's object
  const clang::VarDecl* world = nullptr;  // the parameter for the world
  std::set<const clang::CallExpr*> sends;  // that become sends of messages
};

/// Tells all, or says why not.
effects effects_of(const clang::Stmt* body, const effect_scope& scope);

}  // namespace shoal::translate
