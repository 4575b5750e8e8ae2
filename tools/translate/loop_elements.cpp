// Elements that code of a loop touches: which of them differ in each turn, one by one or several at once.
#include <algorithm>

#include "tools/translate/loop_touches.hpp"
#include "tools/translate/private_variables.hpp"
#include "tools/translate/remote_range.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

// Without casts to types that hold every number of a variable.
const Expr* uncast(const Expr* e, const clang::ValueDecl* of, const clang::ASTContext& context) {
  for (;;) {
    e = e->IgnoreParens();
    const auto* const c = llvm::dyn_cast<clang::CastExpr>(e);
    const bool keeps = c != nullptr && c->getType()->isIntegerType() && !c->getType()->isBooleanType() &&
                       context.getTypeSize(c->getType()) >= context.getTypeSize(of->getType());
    if (!keeps) return e;
    e = c->getSubExpr();
  }
}

bool is_name_of(const Expr* e, const clang::ValueDecl* v, const clang::ASTContext& context) {
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(uncast(e, v, context));
  return name != nullptr && name->getDecl() == v;
}

}  // namespace

void touch_reader::look_at_elements(const remote_access& a, touch::kind how, std::size_t segment,
                                    const std::set<const clang::Stmt*>& skipped) {
  segment_ = segment;
  skipped_ = &skipped;
  top_ = a.local;
  const std::optional<local_place> at = local_place_of(a.local);
  place found;
  if (at->is_variable) {
    if (!find_place(at->base, found)) return;  // a constant
    found.is_part = !found.is_memory;  // it may be that nothing is written
  } else {
    find_element(at->base, at->index, found);
    found.distinct.clear();
    found.counter = none;
    if (found.is_memory && at->index != nullptr) find_distinct_elements(at->base, at->index, a, found);
  }
  found.is_real = a.element->isRealFloatingType();
  add_touch(found, a.local, how, {}, false);
  touches_.back().is_range = true;
}

// One array, at one place.
bool touch_reader::is_at_one_place(const Expr* base) const {
  const clang::VarDecl* const array = variable_of(base);
  return array != nullptr && !(array->getType()->isPointerType() && is_assigned_later(array));
}

// The text, and whose names it has: a scope within may have another variable of the same name.
std::string touch_reader::identity(const Expr* e) const {
  std::string all = source(e);
  for_each_statement(e, [&](const clang::Stmt* s) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s))
      all += "@" + std::to_string(name->getDecl()->getLocation().getRawEncoding());
  });
  return all;
}

// A subscript that each turn of a loop has for itself: its counter, or that and a constant.
void touch_reader::find_distinct(const Expr* base, const Expr* index, place& found) const {
  if (!is_at_one_place(base)) return;
  for (std::size_t i = 0; i < scope_.counters.size(); ++i) {
    const clang::ValueDecl* const counter = scope_.counters[i];
    if (counter == nullptr) continue;
    const Expr* const e = uncast(index, counter, context_);
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(e);
    const bool is_moved = b != nullptr && (b->getOpcode() == clang::BO_Add || b->getOpcode() == clang::BO_Sub) &&
                          is_name_of(b->getLHS(), counter, context_) && b->getRHS()->isEvaluatable(context_);
    if (!is_name_of(e, counter, context_) && !is_moved) continue;
    found.distinct = identity(e);
    found.counter = i;
  }
}

// Elements of two turns do not overlap if the loop's counter is multiplied by their number, or if it grows by at least
// their number.
void touch_reader::find_distinct_elements(const Expr* base, const Expr* index, const remote_access& a,
                                          place& found) const {
  if (!is_at_one_place(base->IgnoreParenImpCasts())) return;
  for (std::size_t i = 0; i < scope_.counters.size(); ++i) {
    const clang::ValueDecl* const counter = scope_.counters[i];
    if (counter == nullptr) continue;
    const Expr* const e = uncast(index, counter, context_);
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(e);
    // Unsigned numbers of 32 bits begin again.
    const bool is_wide = e->getType()->isSignedIntegerType() || context_.getTypeSize(e->getType()) >= 64;
    const bool is_multiple = b != nullptr && b->getOpcode() == clang::BO_Mul && is_wide &&
                             ((is_name_of(b->getLHS(), counter, context_) && is_count_of(b->getRHS(), a)) ||
                              (is_name_of(b->getRHS(), counter, context_) && is_count_of(b->getLHS(), a)));
    const bool is_step =
        is_name_of(e, counter, context_) && a.known_count.has_value() && *a.known_count <= scope_.strides[i] && is_wide;
    if (!is_multiple && !is_step) continue;
    // Single elements there may be others of the range.
    found.distinct = identity(e) + " and others";
    found.counter = i;
  }
}

// The constant that an access counts its elements by, or the variable of which the loop changes nothing.
bool touch_reader::is_count_of(const Expr* e, const remote_access& a) const {
  Expr::EvalResult value;
  if (a.known_count.has_value())
    return e->EvaluateAsInt(value, context_) && !value.Val.getInt().isNegative() &&
           value.Val.getInt().getZExtValue() == *a.known_count;
  const auto variable = [&](const Expr* x) {
    for (x = x->IgnoreParens(); const auto* const c = llvm::dyn_cast<clang::CastExpr>(x); x = x->IgnoreParens()) {
      const clang::QualType from = c->getSubExpr()->getType();
      if (!c->getType()->isIntegerType() || !from->isIntegerType() ||
          context_.getTypeSize(c->getType()) < context_.getTypeSize(from))
        break;
      x = c->getSubExpr();
    }
    return variable_of(x);
  };
  const clang::VarDecl* const v = variable(a.count);
  return v != nullptr && v == variable(e) && v->hasLocalStorage() && !v->getType()->isReferenceType() &&
         !scope_.declared.contains(v) && !is_changed_in(scope_.statement, v);
}

}  // namespace shoal::translate
