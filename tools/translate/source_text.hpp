/// Places in the main file: offsets, lines and texts of what the tree names.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <optional>
#include <string>
#include <vector>

#include "tools/translate/program.hpp"

namespace shoal::translate {

class source_text {
public:
  explicit source_text(const clang::ASTContext& context);

  /// Nothing if a macro makes it, or a part of it.
  std::optional<range> of(clang::SourceRange tokens) const;
  /// The same for a statement, with the semicolon that ends it.
  std::optional<range> of_statement(const clang::Stmt* s) const;
  /// Where a token stands in the file, also one of a macro.
  std::size_t offset(clang::SourceLocation at) const;
  /// Where a name is written: also as an argument of a macro.
  std::optional<range> of_name(clang::SourceLocation at) const;

  std::string text(range r) const { return text_.substr(r.begin, r.end - r.begin); }
  const std::string& whole() const { return text_; }
  unsigned line(clang::SourceLocation at) const;
  unsigned column(clang::SourceLocation at) const;
  /// Offset of the first character after `r` that is no blank.
  std::size_t next(std::size_t at) const;
  /// The same, but comments count as blanks.
  std::size_t next_code(std::size_t at) const;
  /// Comments within, each as it is written.
  std::vector<std::string> comments(range within) const;
  /// All names that the file has.
  std::set<std::string> identifiers() const;

private:
  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  std::string text_;
};

/// What is written of an expression, with parentheses around it.
clang::SourceRange written(const clang::Expr* e);

/// A type as the source would write it.
std::string name_of(clang::QualType type, const clang::ASTContext& context);

}  // namespace shoal::translate
