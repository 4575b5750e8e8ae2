#include "tools/translate/moved_declarations.hpp"

#include <algorithm>

#include "tools/translate/known_functions.hpp"
#include "tools/translate/remote_range.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;
using clang::Stmt;

// How often code names a variable.
int n_names(const Stmt* s, const clang::VarDecl* v) {
  if (s == nullptr) return 0;
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(s);
  int n = name != nullptr && name->getDecl() == v ? 1 : 0;
  if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* each : d->decls()) {
      const auto* const declared = llvm::dyn_cast<clang::VarDecl>(each);
      n += declared != nullptr ? n_names(declared->getInit(), v) : 0;
    }
    return n;
  }
  for (const Stmt* each : s->children()) n += n_names(each, v);
  return n;
}

// The variable that a declaration declares alone, if it may stand elsewhere.
const clang::VarDecl* movable(const Stmt* s) {
  const auto* const d = llvm::dyn_cast<clang::DeclStmt>(s);
  const auto* const v =
      d != nullptr && d->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(d->getSingleDecl()) : nullptr;
  const bool may = v != nullptr && v->hasLocalStorage() && !llvm::isa<clang::DecompositionDecl>(v) &&
                   (v->getType()->isArrayType() || v->getType()->isArithmeticType() || is_container(v->getType()));
  return may && !v->getType()->isReferenceType() && !v->getType()->isVariableArrayType() ? v : nullptr;
}

bool has_initialiser(const clang::VarDecl* v) {
  const auto* const made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(v->getInit());
  return v->getInit() != nullptr && (made == nullptr || made->getNumArgs() != 0);
}

// Whether it has another value, or does something else, if it comes later.
bool depends_on_place(const clang::VarDecl* v, const clang::ASTContext& context) {
  bool calls_access = false;
  for_each_statement(v->getInit(), [&](const Stmt* s) {
    const auto* const e = llvm::dyn_cast<Expr>(s);
    const remote_call found = e == nullptr ? remote_call{} : remote_call_of(e, context);
    calls_access |= found.access.has_value() || !found.refusal.empty();
  });
  return calls_access || v->getInit()->HasSideEffects(context, false);
}

}  // namespace

std::map<const Stmt*, const Expr*> declared_for_elements(const std::vector<const Stmt*>& block,
                                                         const clang::ASTContext& context) {
  std::map<const Stmt*, const Expr*> all;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const clang::VarDecl* const v = movable(block[i]);
    if (v == nullptr) continue;
    const auto first = std::find_if(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, block.end(),
                                    [&](const Stmt* s) { return n_names(s, v) != 0; });
    const auto* const e = first == block.end() ? nullptr : llvm::dyn_cast<Expr>(*first);
    if (e == nullptr) continue;
    const remote_call found = remote_call_of(e->IgnoreImplicit(), context);
    if (!found.access.has_value() || !reads_several(*found.access)) continue;
    const remote_access& a = *found.access;
    const std::optional<local_place> into = local_place_of(a.local);
    if (!into.has_value() || variable_of(into->base) != v || n_names(into->index, v) != 0) continue;
    // A number is a constant, which nothing computes again.
    if (n_names(a.index, v) + n_names(a.pe, v) + (a.is_number ? 0 : n_names(a.count, v)) != 0) continue;
    const bool is_next = first == block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (has_initialiser(v) && (!is_next || depends_on_place(v, context))) continue;
    all.emplace(block[i], e->IgnoreImplicit());
  }
  return all;
}

}  // namespace shoal::translate
