#include "tools/translate/known_functions.hpp"

#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/Regex.h>

#include <algorithm>
#include <set>

#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

// Reads the body of a function that may compute with what it is given, and do nothing else.
class body_reader {
public:
  bool is_simple(const clang::FunctionDecl* f) {
    // What is asked already decides where it is asked.
    if (!asked_.insert(f->getCanonicalDecl()).second) return true;
    const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
    if (method != nullptr && (method->getParent()->isLambda() || method->isVirtual())) return false;
    const clang::FunctionDecl* body = nullptr;
    if (f->getBody(body) == nullptr) return false;
    for (const clang::ParmVarDecl* p : body->parameters()) {
      const clang::QualType type = p->getType();
      if (type->isPointerType() || (type->isReferenceType() && !type->getPointeeType().isConstQualified()))
        return false;
    }
    bool simple = true;
    for_each_statement(body->getBody(), [&](const clang::Stmt* s) { simple = simple && allows(s); });
    return simple;
  }

  bool tells_pe() const { return tells_pe_; }

private:
  bool allows(const clang::Stmt* s) {
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
      return std::ranges::all_of(d->decls(), [](const clang::Decl* each) {
        const auto* const v = llvm::dyn_cast<clang::VarDecl>(each);
        return v == nullptr || v->hasLocalStorage();
      });
    }
    if (const auto* l = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
      const clang::QualType held = l->getRangeInit()->getType();
      return is_container(held) || is_span(held) || held->isArrayType();
    }
    if (const auto* n = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* const v = llvm::dyn_cast<clang::VarDecl>(n->getDecl());
      return v == nullptr || may_name(v);
    }
    if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(s);
        m != nullptr && llvm::isa<clang::VarDecl>(m->getMemberDecl()))
      return false;  // static
    if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(s))
      return !m->isArrow() || llvm::isa<clang::CXXThisExpr>(plain(m->getBase()));
    if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(s)) {
      if (u->getOpcode() == clang::UO_Deref || u->getOpcode() == clang::UO_AddrOf) return false;
      return !u->isIncrementDecrementOp() || is_own(u->getSubExpr());
    }
    if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(s)) return !b->isAssignmentOp() || is_own(b->getLHS());
    if (const auto* c = llvm::dyn_cast<clang::CallExpr>(s)) return allows_call(c);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(s)) return made->getConstructor()->isTrivial();
    return !llvm::isa<clang::ArraySubscriptExpr, clang::CXXDefaultArgExpr, clang::CXXDefaultInitExpr, clang::CXXNewExpr,
                      clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::LambdaExpr, clang::AsmStmt>(s);
  }
  bool allows_call(const clang::CallExpr* c) {
    const clang::FunctionDecl* const f = c->getDirectCallee();
    if (f == nullptr) return false;
    if (tells_own_pe(f)) return tells_pe_ = true;
    return is_pure(f) || is_simple(f);
  }

  static bool may_name(const clang::VarDecl* v) {
    if (v->hasGlobalStorage() && !(v->getType().isConstQualified() && v->hasConstantInitialization())) return false;
    return !v->getType()->isReferenceType() || v->getType().getNonReferenceType().isConstQualified();
  }
  static bool is_own(const Expr* e) {
    const clang::VarDecl* const v = variable_of(e);
    return v != nullptr && v->hasLocalStorage() && !v->getType()->isReferenceType();
  }

  std::set<const clang::FunctionDecl*> asked_;
  bool tells_pe_ = false;
};

// It is one of these, or a function that only returns what one of these gives it.
bool gives_what(const clang::FunctionDecl* f, const std::set<std::string>& names) {
  if (names.contains(library_name(f))) return true;
  const clang::FunctionDecl* body = nullptr;
  const auto* const block =
      f->getBody(body) == nullptr ? nullptr : llvm::dyn_cast<clang::CompoundStmt>(body->getBody());
  if (block == nullptr || block->size() != 1) return false;
  const auto* const back = llvm::dyn_cast<clang::ReturnStmt>(block->body_front());
  if (back == nullptr || back->getRetValue() == nullptr) return false;
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(back->getRetValue()->IgnoreParenCasts());
  const clang::FunctionDecl* const inner = call == nullptr ? nullptr : call->getDirectCallee();
  return inner != nullptr && inner != f && names.contains(library_name(inner));
}

}  // namespace

std::string library_name(const clang::FunctionDecl* f) {
  const clang::SourceManager& sources = f->getASTContext().getSourceManager();
  const auto is_here = [&](const clang::FunctionDecl* each) {
    return sources.isInMainFile(sources.getExpansionLoc(each->getLocation()));
  };
  const bool is_global = f->getDeclContext()->getRedeclContext()->isTranslationUnit();
  const clang::FunctionDecl* const definition = f->getDefinition();
  const bool is_own = (definition != nullptr && is_here(definition)) || std::ranges::all_of(f->redecls(), is_here);
  return is_global && !is_own && f->getDeclName().isIdentifier() ? f->getNameAsString() : "";
}

bool is_pure(const clang::FunctionDecl* f) {
  static const llvm::Regex names(
      "^((std::)?(abs|labs|llabs|fabs|sqrt|floor|ceil|exp|log|log2|pow|fmin|fmax|min|max|clamp|lround|countr_zero|"
      "popcount)|__builtin_(expect|popcount.*|clz.*|ctz.*))$");
  const std::string name = f->getQualifiedNameAsString();
  const bool is_of_system = f->isInStdNamespace() || f->getBuiltinID() != 0 ||
                            f->getASTContext().getSourceManager().isInSystemHeader(f->getLocation());
  if (!is_of_system) return tells_n_pes(f);
  return names.match(name);
}

bool tells_n_pes(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"shmem_n_pes", "_num_pes"};
  return names.contains(library_name(f));
}
bool tells_own_pe(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"shmem_my_pe", "_my_pe"};
  return names.contains(library_name(f));
}

bool draws_numbers(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"rand",    "random",         "drand48",
                                              "lrand48", "lgp_rand_int64", "lgp_rand_double"};
  const bool is_of_system = f->getASTContext().getSourceManager().isInSystemHeader(f->getLocation());
  return names.contains(library_name(f)) && (is_of_system || library_name(f).starts_with("lgp_"));
}

bool allocates(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"malloc", "calloc", "init_matrix"};
  return gives_what(f, names) || allocates_for_all(f);
}

bool allocates_for_all(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"shmem_malloc",  "shmem_calloc", "shmem_align",
                                              "lgp_all_alloc", "shmalloc",     "shmem_malloc_with_hints"};
  return gives_what(f, names);
}

bool is_simple(const clang::FunctionDecl* f, bool* tells_pe) {
  body_reader reader;
  const bool simple = reader.is_simple(f);
  if (tells_pe == nullptr) return simple && !reader.tells_pe();
  *tells_pe = reader.tells_pe();
  return simple;
}

bool is_same_everywhere(const clang::Expr* e, const clang::ASTContext& context) {
  e = e->IgnoreParenCasts();
  if (!e->isValueDependent() && e->isEvaluatable(context)) return true;
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(e);
  if (call == nullptr) return false;
  if (const member_call m = member_call_of(call); m.object != nullptr)
    return m.name == "n_pes" && is_type(m.object->getType(), "shoal::world");
  const clang::FunctionDecl* const f = call->getDirectCallee();
  return f != nullptr && tells_n_pes(f);
}

bool names_local(const clang::Stmt* s) {
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(s);
  if (name != nullptr && name->getDecl()->getDeclContext()->isFunctionOrMethod() &&
      llvm::isa<clang::VarDecl>(name->getDecl()))
    return true;
  return std::ranges::any_of(s->children(),
                             [](const clang::Stmt* each) { return each != nullptr && names_local(each); });
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
