/// The code of a loop, expression by expression: its text, in which names change; what it touches; and accesses in it.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/translate/loop_touches.hpp"
#include "tools/translate/loop_variables.hpp"
#include "tools/translate/remote_access.hpp"
#include "tools/translate/source_text.hpp"

namespace shoal::translate {

/// Text that takes the place of a part of the source.
struct replaced_site {
  range at;
  pieces text;
};

void add_text(pieces& to, std::string text);
void add_pieces(pieces& to, pieces more);

/// `segment` is the step in whose rest code stands; none: the loop's own code. All functions throw loop_refusal.
class loop_code {
public:
  loop_code(clang::ASTContext& context, const source_text& text, const loop_scope& scope, loop& into)
      : context_(context),
        text_(text),
        scope_(scope),
        into_(into),
        variables_(context, text, scope, into),
        reader_(context, text, scope, [this](const clang::ValueDecl* v) { return variables_.of(v); }) {}
  loop_code(const loop_code&) = delete;
  loop_code& operator=(const loop_code&) = delete;

  [[noreturn]] void refuse(const clang::Stmt* at, const std::string& thing, const std::string& reason) const {
    throw loop_refusal{at->getBeginLoc(), thing, reason};
  }
  range range_of(const clang::Stmt* s) const;
  range statement_range(const clang::Stmt* s) const;
  /// Without the parentheses around it, as the program writes it.
  range argument_range(const clang::Expr* e) const;

  /// An expression or declaration, with the names that it has.
  pieces code(const clang::Stmt* s, range r, std::size_t segment);
  /// The text of `r` with `sites` replaced.
  pieces joined(range r, std::vector<replaced_site>& sites) const;
  void find_sites(const clang::Stmt* s, std::size_t segment, std::vector<replaced_site>& sites);

  void use(std::size_t variable, std::size_t segment);
  void declare(std::size_t variable, std::size_t segment);

  /// Notes what an expression or declaration touches, without accesses that are made.
  void look(const clang::Stmt* s, std::size_t segment);
  /// Notes the elements on this PE that an access of several reads or writes.
  void look_at_elements(const remote_access& a, touch::kind how, std::size_t segment);

  /// The first access in an expression that has not been made; null: none. Refuses what might not be evaluated.
  const remote_access* pending_in(const clang::Stmt* s);
  /// The access is made. `variable` has its answer; none: it has none.
  void obtain(const clang::Expr* access, std::size_t variable) { obtained_.emplace(access, variable); }

  clang::ASTContext& context() { return context_; }
  const source_text& text() const { return text_; }
  const loop_scope& scope() const { return scope_; }
  loop& into() { return into_; }
  loop_variables& variables() { return variables_; }
  touch_reader& reader() { return reader_; }

private:
  std::set<const clang::Stmt*> made() const;
  bool is_referred_to(const clang::VarDecl* constant) const;
  void find_in_type(const clang::VarDecl* v, std::size_t segment, std::vector<replaced_site>& sites);

  clang::ASTContext& context_;
  const source_text& text_;
  const loop_scope& scope_;
  loop& into_;
  loop_variables variables_;
  touch_reader reader_;
  std::map<const clang::Stmt*, std::size_t> obtained_;
  remote_access pending_;
};

}  // namespace shoal::translate
