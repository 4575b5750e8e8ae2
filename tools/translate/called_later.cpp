// Whether a lambda that sends is only called, within the function that gets it, or might be kept.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <set>

#include "tools/translate/surroundings.hpp"
#include "tools/translate/visitor.hpp"

namespace shoal::translate {
namespace {

using asked_functions = std::set<std::pair<const clang::FunctionDecl*, unsigned>>;

bool only_calls(const clang::FunctionDecl* f, unsigned parameter, asked_functions& asked);

bool calls_at_once(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"for_each", "for_each_n", "transform", "generate", "accumulate",
                                              "any_of",   "all_of",     "none_of",   "find_if",  "count_if",
                                              "visit",    "apply",      "invoke"};
  if (!f->isInStdNamespace()) return false;
  if (names.contains(f->getNameAsString())) return true;
  // The algorithms of ranges are objects.
  const auto* const m = llvm::dyn_cast<clang::CXXMethodDecl>(f);
  return m != nullptr && m->getParent()->getNameAsString().find("_fn") != std::string::npos;
}

// The function that a call calls; in templates, the only one of that name.
const clang::FunctionDecl* callee_of(const clang::CallExpr* call) {
  if (const clang::FunctionDecl* const f = call->getDirectCallee()) return f;
  const auto* const names = llvm::dyn_cast<clang::UnresolvedLookupExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (names == nullptr || names->getNumDecls() != 1) return nullptr;
  return (*names->decls_begin())->getUnderlyingDecl()->getAsFunction();
}

// Whether the function that gets `argument` by a call only calls it.
bool is_only_called(const clang::CallExpr* call, const clang::Expr* argument, asked_functions& asked) {
  const clang::Expr* const plain = argument->IgnoreUnlessSpelledInSource();
  const auto* const o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  const bool is_operator = o != nullptr && o->getOperator() == clang::OO_Call;
  if (is_operator && o->getArg(0)->IgnoreUnlessSpelledInSource() == plain) return true;
  if (call->getCallee()->IgnoreParenImpCasts() == plain) return true;
  const clang::FunctionDecl* const f = callee_of(call);
  if (f == nullptr) return false;
  if (calls_at_once(f)) return true;
  const unsigned first = is_operator ? 1 : 0;
  for (unsigned i = first; i < call->getNumArgs(); ++i) {
    if (call->getArg(i)->IgnoreUnlessSpelledInSource() == plain) return only_calls(f, i - first, asked);
  }
  return false;
}

// Whether a call gives back what it is given.
bool gives_back(const clang::CallExpr* call) {
  const clang::FunctionDecl* const f = callee_of(call);
  static const std::set<std::string> names = {"forward", "move", "as_const", "for_each", "for_each_n"};
  return f != nullptr && f->isInStdNamespace() && names.contains(f->getNameAsString());
}

// Whether the innermost call around decides what becomes of an expression, and only calls it.
bool is_only_called(const path& around, const clang::Expr* e, asked_functions& asked) {
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(*at)) {
      auto outer = at + 1;
      while (outer != around.rend() && llvm::isa<clang::ExprWithCleanups, clang::CXXBindTemporaryExpr>(*outer)) ++outer;
      const bool is_dropped =
          outer != around.rend() && !llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(*outer);
      if (!gives_back(call) || (is_dropped && calls_at_once(callee_of(call)))) return is_only_called(call, e, asked);
      e = call;
      continue;
    }
    if (!llvm::isa<clang::CastExpr, clang::ParenExpr, clang::MaterializeTemporaryExpr, clang::CXXBindTemporaryExpr,
                   clang::CXXConstructExpr>(*at))
      return false;
  }
  return false;
}

class use_finder final : public visitor {
public:
  use_finder(const clang::ValueDecl* of, asked_functions& asked) : of_(of), asked_(asked) {}
  bool only_calls() const { return only_calls_; }

  void traverse_statement(clang::Stmt* s) override {
    path_.push_back(s);
    below(s);
    path_.pop_back();
  }

protected:
  void visit_statement(clang::Stmt* s) override {
    const auto* const e = llvm::dyn_cast<clang::DeclRefExpr>(s);
    if (e == nullptr || e->getDecl() != of_) return;
    only_calls_ = only_calls_ && is_only_called(path(path_.begin(), path_.end() - 1), e, asked_);
    // So has what captures it to be, on its way out.
    for (std::size_t i = path_.size(); i-- > 0;) {
      const auto* const l = llvm::dyn_cast<clang::LambdaExpr>(path_[i]);
      if (l != nullptr) {
        only_calls_ = only_calls_ &&
                      is_only_called(path(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(i)), l, asked_);
      }
    }
  }

private:
  const clang::ValueDecl* of_;
  asked_functions& asked_;
  path path_;
  bool only_calls_ = true;
};

bool only_calls(const clang::FunctionDecl* f, unsigned parameter, asked_functions& asked) {
  if (!asked.emplace(f, parameter).second) return true;  // recursion: what is left decides
  const clang::FunctionDecl* body = nullptr;
  if (f->getBody(body) == nullptr || parameter >= body->getNumParams()) return false;
  if (body->getParamDecl(parameter)->getType()->isRecordType() &&
      !body->getParamDecl(parameter)->getType()->getAsCXXRecordDecl()->isLambda())
    return false;  // std::function and the like
  use_finder finder(body->getParamDecl(parameter), asked);
  finder.traverse_statement(body->getBody());
  return finder.only_calls();
}

}  // namespace

std::string called_later(const clang::LambdaExpr* lambda, const findings& found) {
  const path& around = found.lambdas.at(lambda);
  asked_functions asked;
  if (is_only_called(around, lambda, asked)) return {};
  // A const variable's initialiser is cast.
  auto outer = around.rbegin();
  while (outer != around.rend() && llvm::isa<clang::ImplicitCastExpr, clang::ExprWithCleanups>(*outer)) ++outer;
  const auto* const declared = outer == around.rend() ? nullptr : llvm::dyn_cast<clang::DeclStmt>(*outer);
  if (declared != nullptr && declared->isSingleDecl()) {
    const auto* const v = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    const bool is_called = std::ranges::all_of(found.references, [&](const reference& r) {
      return r.name->getDecl() != v || is_only_called(r.around, r.name, asked);
    });
    if (v != nullptr && v->hasLocalStorage() && is_called) return {};
  }
  return "it is in a lambda that may be called after the superstep";
}

}  // namespace shoal::translate
