#include "tools/translate/known_functions.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <regex>
#include <set>

#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

const Expr* plain(const Expr* e) { return e->IgnoreParenImpCasts(); }

// Whether a function computes with what it is given, and nothing else.
class simple_finder : public clang::RecursiveASTVisitor<simple_finder> {
public:
  simple_finder(std::set<const clang::FunctionDecl*>& asked, bool& tells_pe) : asked_(asked), tells_pe_(tells_pe) {}
  bool is_simple = true;

  bool shouldVisitImplicitCode() const { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    const auto* const v = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
    if (v != nullptr && v->hasGlobalStorage() && !(v->getType().isConstQualified() && v->hasConstantInitialization()))
      return fail();
    if (v != nullptr && v->getType()->isReferenceType() && !v->getType().getNonReferenceType().isConstQualified())
      return fail();
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* e) {
    return !e->isArrow() || llvm::isa<clang::CXXThisExpr>(plain(e->getBase())) || fail();
  }
  bool VisitUnaryOperator(clang::UnaryOperator* e) {
    if (e->getOpcode() == clang::UO_Deref || e->getOpcode() == clang::UO_AddrOf) return fail();
    return !e->isIncrementDecrementOp() || is_own(e->getSubExpr()) || fail();
  }
  bool VisitBinaryOperator(clang::BinaryOperator* e) { return !e->isAssignmentOp() || is_own(e->getLHS()) || fail(); }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) { return fail(); }
  bool VisitCallExpr(clang::CallExpr* e) {
    const clang::FunctionDecl* const f = e->getDirectCallee();
    if (f != nullptr && tells_own_pe(f)) return tells_pe_ = true;
    return (f != nullptr && (is_pure(f) || is_simple_function(f, asked_, tells_pe_))) || fail();
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) { return e->getConstructor()->isTrivial() || fail(); }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr*) { return fail(); }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr*) { return fail(); }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) { return fail(); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) { return fail(); }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr*) { return fail(); }
  bool VisitLambdaExpr(clang::LambdaExpr*) { return fail(); }
  bool VisitAsmStmt(clang::AsmStmt*) { return fail(); }
  bool VisitVarDecl(clang::VarDecl* v) { return v->hasLocalStorage() || fail(); }

  static bool is_simple_function(const clang::FunctionDecl* f, bool& tells_pe) {
    std::set<const clang::FunctionDecl*> asked;
    return is_simple_function(f, asked, tells_pe);
  }

private:
  // What is asked already decides where it is asked.
  static bool is_simple_function(const clang::FunctionDecl* f, std::set<const clang::FunctionDecl*>& asked,
                                 bool& tells_pe) {
    if (!asked.insert(f->getCanonicalDecl()).second) return true;
    const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
    if (method != nullptr && (method->getParent()->isLambda() || method->isVirtual())) return false;
    const clang::FunctionDecl* body = nullptr;
    if (f->getBody(body) == nullptr) return false;
    for (const clang::ParmVarDecl* p : body->parameters()) {
      const clang::QualType type = p->getType();
      if (type->isPointerType() || (type->isReferenceType() && !type->getPointeeType().isConstQualified()))
        return false;
    }
    simple_finder finder(asked, tells_pe);
    finder.TraverseStmt(body->getBody());
    return finder.is_simple;
  }

  bool fail() {
    is_simple = false;
    return false;
  }
  static bool is_own(const Expr* e) {
    const clang::VarDecl* const v = variable_of(e);
    return v != nullptr && v->hasLocalStorage() && !v->getType()->isReferenceType();
  }
  std::set<const clang::FunctionDecl*>& asked_;
  bool& tells_pe_;
};

}  // namespace

bool is_pure(const clang::FunctionDecl* f) {
  static const std::regex names(
      "shmem_n_pes|_num_pes|(std::)?(abs|labs|llabs|fabs|sqrt|floor|ceil|exp|log|log2|pow|fmin|fmax|min|max|clamp|"
      "lround|countr_zero|popcount)");
  const std::string name = f->getQualifiedNameAsString();
  const bool is_of_shmem = name == "shmem_n_pes" || name == "_num_pes";
  const bool is_of_system = f->isInStdNamespace() || f->getBuiltinID() != 0 ||
                            f->getASTContext().getSourceManager().isInSystemHeader(f->getLocation());
  if (!is_of_shmem && !is_of_system) return false;
  return std::regex_match(name, names) ||
         std::regex_match(name, std::regex("__builtin_(expect|popcount.*|clz.*|ctz.*)"));
}
bool tells_own_pe(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"shmem_my_pe", "_my_pe"};
  return names.contains(f->getNameAsString());
}

bool draws_numbers(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"rand",    "random",         "drand48",
                                              "lrand48", "lgp_rand_int64", "lgp_rand_double"};
  const bool is_of_system = f->getASTContext().getSourceManager().isInSystemHeader(f->getLocation());
  return names.contains(f->getNameAsString()) && (is_of_system || f->getNameAsString().starts_with("lgp_"));
}

bool allocates(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"malloc",       "calloc",      "shmem_malloc",
                                              "shmem_calloc", "shmem_align", "lgp_all_alloc",
                                              "shmalloc",     "init_matrix", "shmem_malloc_with_hints"};
  if (names.contains(f->getNameAsString())) return true;
  // A function that only returns what one of these gives it.
  const clang::FunctionDecl* body = nullptr;
  const auto* const block =
      f->getBody(body) == nullptr ? nullptr : llvm::dyn_cast<clang::CompoundStmt>(body->getBody());
  if (block == nullptr || block->size() != 1) return false;
  const auto* const back = llvm::dyn_cast<clang::ReturnStmt>(block->body_front());
  if (back == nullptr || back->getRetValue() == nullptr) return false;
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(back->getRetValue()->IgnoreParenCasts());
  const clang::FunctionDecl* const inner = call == nullptr ? nullptr : call->getDirectCallee();
  return inner != nullptr && inner != f && names.contains(inner->getNameAsString());
}

bool is_simple(const clang::FunctionDecl* f, bool* tells_pe) {
  bool tells = false;
  const bool simple = simple_finder::is_simple_function(f, tells);
  if (tells_pe != nullptr) *tells_pe = tells;
  return simple && (tells_pe != nullptr || !tells);
}

bool is_container(clang::QualType type) {
  const clang::CXXRecordDecl* const r = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (r == nullptr || !r->isInStdNamespace()) return false;
  const llvm::StringRef name = r->getName();
  return name == "vector" || name == "array";
}
bool is_span(clang::QualType type) { return is_type(type, "std::span"); }

bool is_of_selectors(const std::string& name) {
  static const std::set<std::string> names = {
      "selector",     "send",       "process",        "close",   "closed",         "declare",        "mailboxes",
      "mailbox_at",   "mailbox_of", "boxes",          "box",     "selector_box",   "selector_boxes", "closures",
      "ask",          "ask_all",    "none",           "current", "only_message",   "message_at",     "position_of",
      "is_tag",       "names",      "message_of_tag", "n_named", "is_of_closures", "is_named",       "is_form",
      "send_closure", "done",       "pass_on",        "all",     "by_message",     "target_of",      "prefetch"};
  return names.contains(name);
}

}  // namespace shoal::translate
