#include "tools/translate/dealt_index.hpp"

#include "tools/translate/known_functions.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

class index_reader {
public:
  index_reader(const clang::ASTContext& context, const source_text& text) : context_(context), text_(text) {}

  dealt_index read(const Expr* e) const {
    e = plain(e);
    if (const clang::VarDecl* const v = own_variable(e)) return {v, false, {}};
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (b == nullptr || !b->getType()->isSignedIntegerType()) return {};
    switch (b->getOpcode()) {
      case clang::BO_Rem:
        return is_number_of_pes(b->getRHS()) ? dealt_index{own_variable(plain(b->getLHS())), true, {}} : dealt_index{};
      case clang::BO_Sub: return with(read(b->getLHS()), b->getRHS(), true);
      case clang::BO_Add: {
        const dealt_index sum = with(read(b->getLHS()), b->getRHS(), false);
        return sum.variable != nullptr ? sum : with(read(b->getRHS()), b->getLHS(), false);
      }
      default: return {};
    }
  }

private:
  // Without parentheses and casts that keep each value.
  const Expr* plain(const Expr* e) const {
    for (;;) {
      e = e->IgnoreParens();
      const auto* const c = llvm::dyn_cast<clang::CastExpr>(e);
      if (c == nullptr) return e;
      const clang::CastKind kind = c->getCastKind();
      const bool keeps = kind == clang::CK_LValueToRValue || kind == clang::CK_NoOp ||
                         (kind == clang::CK_IntegralCast && holds_all(c->getType(), c->getSubExpr()->getType()));
      if (!keeps) return e;
      e = c->getSubExpr();
    }
  }
  bool holds_all(clang::QualType to, clang::QualType from) const {
    if (!to->isSignedIntegerType() || !from->isIntegerType()) return false;
    const auto to_bits = context_.getTypeSize(to);
    const auto from_bits = context_.getTypeSize(from);
    return to_bits > from_bits || (to_bits == from_bits && from->isSignedIntegerType());
  }

  // One of the function's own integers. No reference, whose value may change under another name.
  static const clang::VarDecl* own_variable(const Expr* e) {
    const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* const v = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool is_own =
        v != nullptr && v->hasLocalStorage() && v->getType()->isIntegerType() && !v->getType().isVolatileQualified();
    return is_own ? v : nullptr;
  }

  // THREADS itself: a variable that holds it might become unused, of which compilers warn.
  bool is_number_of_pes(const Expr* e) const {
    const auto* const call = llvm::dyn_cast<clang::CallExpr>(plain(e));
    const clang::FunctionDecl* const f = call == nullptr ? nullptr : call->getDirectCallee();
    return f != nullptr && tells_n_pes(f);
  }

  dealt_index with(dealt_index sum, const Expr* multiple, bool is_subtracted) const {
    if (sum.variable == nullptr) return {};
    if (is_number_of_pes(multiple)) {
      sum.rounds.push_back({nullptr, {}, is_subtracted});
      return sum;
    }
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(plain(multiple));
    if (b == nullptr || b->getOpcode() != clang::BO_Mul || !b->getType()->isSignedIntegerType()) return {};
    const bool is_second = is_number_of_pes(b->getRHS());
    if (!is_second && !is_number_of_pes(b->getLHS())) return {};
    const Expr* const factor = is_second ? b->getLHS() : b->getRHS();
    const std::optional<range> at = text_.of(factor->getSourceRange());
    if (!at.has_value()) return {};  // a macro makes a part of it
    sum.rounds.push_back({factor, *at, is_subtracted});
    return sum;
  }

  const clang::ASTContext& context_;
  const source_text& text_;
};

}  // namespace

dealt_index dealt_index_of(const remote_access& a, const clang::ASTContext& context, const source_text& text) {
  return a.family == access_family::getput ? index_reader(context, text).read(a.index) : dealt_index{};
}

}  // namespace shoal::translate
