/// Declarations that go to where a loop's code first uses what they declare.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <vector>

namespace shoal::translate {

/// The declarations in a block that go to the rest of an access: of what it reads several elements into, unless something
/// names that before. By declaration, the access.
std::map<const clang::Stmt*, const clang::Expr*> declared_for_elements(const std::vector<const clang::Stmt*>& block,
                                                                       const clang::ASTContext& context);

}  // namespace shoal::translate
