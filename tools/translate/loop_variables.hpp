/// The variables that a loop names: what they are to it, and to what waits for answers.
#pragma once

#include <clang/AST/ASTContext.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/translate/loop_touches.hpp"
#include "tools/translate/source_text.hpp"

namespace shoal::translate {

class loop_variables {
public:
  /// Writes down each variable in `into`.
  loop_variables(const clang::ASTContext& context, const source_text& text, const loop_scope& scope, loop& into)
      : context_(context), text_(text), scope_(scope), into_(into) {}

  /// Its number.
  std::size_t of(const clang::ValueDecl* v);
  /// One for an answer to which the program gives no name; `position`: from where on it is one thing.
  std::size_t make(const std::string& wanted, clang::QualType type, std::size_t position);
  /// By variable: the position from which on it is one thing.
  const std::vector<std::size_t>& declared_at() const { return declared_at_; }

private:
  std::size_t declared_at(const clang::ValueDecl* v) const;

  const clang::ASTContext& context_;
  const source_text& text_;
  const loop_scope& scope_;
  loop& into_;
  std::map<const clang::ValueDecl*, std::size_t> numbers_;
  std::vector<std::size_t> declared_at_;
};

/// When all is read: which variables the loop's own code changes, and which what waits for answers; what each rest changes; and
/// which rests need nothing of the PE whose loop it is.
void settle_variables(touch_reader& reader, loop& l);

}  // namespace shoal::translate
