/// How a lambda_actor is declared, and whether a selector can be declared and constructed in its place.
#pragma once

#include "tools/translate/read_closure.hpp"

namespace shoal::translate {

/// A lambda_actor whose place a selector may take: a member of a class, or a variable of a function.
struct actor {
  const clang::DeclaratorDecl* declared = nullptr;
  const clang::FieldDecl* member = nullptr;  // null: a variable
  const clang::VarDecl* world = nullptr;  // that a variable is made with
  clang::QualType context;  // its object
  superstep plain;
  bool is_left = false;

  /// The class that it is a member of; null: it is a variable.
  const clang::CXXRecordDecl* owner() const {
    return member == nullptr ? nullptr : llvm::cast<clang::CXXRecordDecl>(member->getParent());
  }
  /// Throws not_readable.
  [[noreturn]] void refuse(const std::string& why) const {
    throw not_readable{declared->getLocation(), declared->getNameAsString(), why};
  }
};

/// The namespace around that has a name; null: the global one.
const clang::NamespaceDecl* named_namespace(const clang::DeclContext* c);

/// Reads the declaration of an actor that `site` sends to. Throws not_readable.
void describe_actor(actor& a, const send_site& site, const clang::ASTContext& context, const source_text& text,
                    const findings& found);

}  // namespace shoal::translate
