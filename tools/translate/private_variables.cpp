#include "tools/translate/private_variables.hpp"

#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <map>

namespace shoal::translate {
namespace {

using clang::Expr;
using clang::Stmt;

// Where a place gets a new value of `v` before all that follows there: a block with an assignment among its statements, or
// a for loop that begins with one. Nothing if it might get an older value.
struct fresh_scope {
  const Stmt* scope;
  std::size_t at;  // of the assignment
  std::size_t begin;  // the position from which on it is one thing
};

bool assigns(const Stmt* s, const clang::VarDecl* v) {
  const auto* const e = llvm::dyn_cast_or_null<Expr>(s);
  const auto* const b = e == nullptr ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreImplicit());
  return b != nullptr && b->getOpcode() == clang::BO_Assign && variable_of(b->getLHS()) == v;
}
// Whether the name at `own` is in the value that the assignment gives.
bool is_named_in_value(const Stmt* assignment, std::size_t own, const source_text& text) {
  const auto* const b = llvm::cast<clang::BinaryOperator>(llvm::cast<Expr>(assignment)->IgnoreImplicit());
  return own >= text.offset(b->getRHS()->getBeginLoc()) && own <= text.offset(b->getRHS()->getEndLoc());
}

std::vector<fresh_scope> fresh_scopes(const reference& r, const clang::VarDecl* v, const source_text& text) {
  std::vector<fresh_scope> all;
  const std::size_t own = text.offset(r.name->getLocation());
  for (const Stmt* s : r.around) {
    if (const auto* f = llvm::dyn_cast<clang::ForStmt>(s)) {
      if (assigns(f->getInit(), v) && !is_named_in_value(f->getInit(), own, text))
        all.push_back({f, text.offset(f->getInit()->getBeginLoc()), text.offset(f->getBeginLoc()) - 1});
    } else if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      for (const Stmt* each : block->body()) {
        const std::size_t at = text.offset(each->getBeginLoc());
        if (at > own) break;
        if (!assigns(each, v) || is_named_in_value(each, own, text)) continue;
        all.push_back({block, at, text.offset(block->getBeginLoc())});
        break;
      }
    }
  }
  return all;
}

bool is_address_taken(const reference& r) {
  const auto* const u = r.around.empty() ? nullptr : llvm::dyn_cast<clang::UnaryOperator>(r.around.back());
  return u != nullptr && u->getOpcode() == clang::UO_AddrOf;
}

std::optional<std::size_t> private_since(const loop_site& site, const clang::VarDecl* v,
                                         const std::vector<const reference*>& all, const source_text& text) {
  const std::size_t end = text.offset(site.loop->getEndLoc());
  std::optional<std::size_t> since;
  for (const reference* r : all) {
    if (r->scope != all.front()->scope || is_address_taken(*r)) return std::nullopt;
    const bool is_within = std::ranges::find(r->around, site.loop) != r->around.end();
    bool is_fresh = false;
    for (const fresh_scope& f : fresh_scopes(*r, v, text)) {
      const bool holds_loop = f.scope != site.loop && std::ranges::find(site.around, f.scope) != site.around.end();
      if (is_within ? holds_loop || f.scope == site.loop : holds_loop && f.at < end) continue;
      is_fresh = true;
      if (is_within) since = std::min(since.value_or(f.begin), f.begin);
      break;
    }
    if (!is_fresh) return std::nullopt;
  }
  return since;
}

}  // namespace

bool is_changed_in(const Stmt* code, const clang::VarDecl* v) {
  bool is_found = false;
  for_each_statement(code, [&](const Stmt* s) {
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(s);
    const auto* const u = llvm::dyn_cast<clang::UnaryOperator>(s);
    is_found |= b != nullptr && b->isAssignmentOp() && variable_of(b->getLHS()) == v;
    is_found |= u != nullptr && (u->isIncrementDecrementOp() || u->getOpcode() == clang::UO_AddrOf) &&
                variable_of(u->getSubExpr()) == v;
  });
  return is_found;
}

const clang::ValueDecl* counter_of(const Stmt* loop, const clang::ASTContext& context) {
  const auto* const f = llvm::dyn_cast<clang::ForStmt>(loop);
  if (f == nullptr || f->getInc() == nullptr) return nullptr;
  const Expr* const step = f->getInc()->IgnoreParenImpCasts();
  const clang::VarDecl* v = nullptr;
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(step); u != nullptr && u->isIncrementDecrementOp())
    v = variable_of(u->getSubExpr());
  const auto* const b = llvm::dyn_cast<clang::CompoundAssignOperator>(step);
  Expr::EvalResult by;
  if (b != nullptr && (b->getOpcode() == clang::BO_AddAssign || b->getOpcode() == clang::BO_SubAssign) &&
      !b->getRHS()->isValueDependent() && b->getRHS()->EvaluateAsInt(by, context) && by.Val.getInt() != 0)
    v = variable_of(b->getLHS());
  if (v == nullptr || !v->hasLocalStorage() || v->getType()->isReferenceType() ||
      context.getTypeSize(v->getType()) < 32)
    return nullptr;
  return is_changed_in(f->getBody(), v) || is_changed_in(f->getCond(), v) ? nullptr : v;
}

std::uint64_t stride_of(const Stmt* loop, const clang::ASTContext& context) {
  if (counter_of(loop, context) == nullptr) return 0;
  const auto* const b =
      llvm::dyn_cast<clang::CompoundAssignOperator>(llvm::cast<clang::ForStmt>(loop)->getInc()->IgnoreParenImpCasts());
  Expr::EvalResult by;
  if (b == nullptr || !b->getRHS()->EvaluateAsInt(by, context)) return 1;
  // A step such as -4u goes back.
  const std::uint64_t stride = by.Val.getInt().extend(128).abs().getLimitedValue();
  return stride > INT32_MAX ? 1 : stride;
}

void find_private(const loop_site& site, const findings& found, const source_text& text, loop_scope& scope) {
  std::map<const clang::VarDecl*, std::vector<const reference*>> names;
  for (const reference& r : found.references) {
    const auto* const v = llvm::dyn_cast<clang::VarDecl>(r.name->getDecl());
    if (v != nullptr && v->isLocalVarDecl() && v->hasLocalStorage() && v->getType()->isArithmeticType())
      names[v].push_back(&r);
  }
  for (const auto& [v, all] : names) {
    if (scope.declared.contains(v)) continue;
    const std::optional<std::size_t> since = private_since(site, v, all, text);
    if (!since.has_value()) continue;
    scope.declared.insert(v);
    scope.private_since.emplace(v, *since);
  }
}

std::vector<const clang::VarDecl*> unused_of(const loop_site& site, const findings& found, const loop_scope& scope,
                                             const touches& of, const loop& l) {
  std::vector<const clang::VarDecl*> unused;
  for (const auto& [v, since] : scope.private_since) {
    const auto* const variable = llvm::cast<clang::VarDecl>(v);
    const bool is_only_here = std::ranges::all_of(found.references, [&](const reference& r) {
      return r.name->getDecl() != variable || std::ranges::find(r.around, site.loop) != r.around.end();
    });
    const bool is_named = std::ranges::any_of(of.all, [&](const touch& t) {
      return t.is_captured && t.segment == none && l.variables[t.memory].name == v->getNameAsString();
    });
    const bool is_captured = std::ranges::any_of(site.around, [&](const Stmt* s) {
      const auto* const around = llvm::dyn_cast<clang::LambdaExpr>(s);
      return around != nullptr &&
             std::ranges::any_of(around->explicit_captures(), [&](const clang::LambdaCapture& each) {
               return each.capturesVariable() && each.getCapturedVar() == variable;
             });
    });
    if (is_only_here && !is_named && !is_captured && variable->getInit() == nullptr) unused.push_back(variable);
  }
  return unused;
}

std::vector<replaced_text> declarations_without(const std::set<const clang::VarDecl*>& unused,
                                                const clang::FunctionDecl* function, const source_text& text) {
  std::vector<const clang::DeclStmt*> in_blocks;
  for_each_statement(function->getBody(), [&](const Stmt* s) {
    const auto* const block = llvm::dyn_cast<clang::CompoundStmt>(s);
    if (block == nullptr) return;
    for (const Stmt* each : block->body()) {
      if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(each)) in_blocks.push_back(d);
    }
  });
  std::vector<replaced_text> all;
  for (const clang::DeclStmt* d : in_blocks) {
    const auto is_unused = [&](const clang::Decl* each) {
      return unused.contains(llvm::dyn_cast<clang::VarDecl>(each));
    };
    if (std::ranges::none_of(d->decls(), is_unused)) continue;
    const bool is_plain = std::ranges::all_of(d->decls(), [](const clang::Decl* each) {
      const auto* const v = llvm::dyn_cast<clang::VarDecl>(each);
      return v != nullptr && v->getType()->isArithmeticType();
    });
    if (!is_plain) continue;
    const std::optional<range> whole = text.of(d->getSourceRange());
    if (!whole.has_value()) continue;
    std::string kept;
    for (const clang::Decl* each : d->decls()) {
      const std::optional<range> name = text.of({each->getLocation(), each->getEndLoc()});
      if (!is_unused(each) && name.has_value()) kept += (kept.empty() ? "" : ", ") + text.text(*name);
    }
    const std::size_t first = text.offset((*d->decl_begin())->getLocation());
    all.push_back({*whole, kept.empty() ? "" : text.text({whole->begin, first}) + kept + ";"});
  }
  return all;
}

}  // namespace shoal::translate
