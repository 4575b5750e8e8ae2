#include "tools/translate/walk.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace shoal::translate {
namespace {

class walker : public clang::RecursiveASTVisitor<walker> {
  using base = clang::RecursiveASTVisitor<walker>;

public:
  explicit walker(clang::ASTContext& context) : sources_(context.getSourceManager()) {}

  findings take() { return std::move(found_); }

  bool TraverseDecl(clang::Decl* d) {
    if (d == nullptr) return true;
    const bool is_outside = function_ == nullptr && !llvm::isa<clang::TranslationUnitDecl>(d);
    if (is_outside && !sources_.isInMainFile(sources_.getExpansionLoc(d->getLocation()))) return true;
    const auto* f = llvm::dyn_cast<clang::FunctionDecl>(d);
    if (f == nullptr) return base::TraverseDecl(d);
    path around;
    around.swap(path_);
    const clang::FunctionDecl* const outer = std::exchange(function_, f);
    const clang::LambdaExpr* const scope = std::exchange(scope_, nullptr);
    const bool goes_on = base::TraverseDecl(d);
    path_.swap(around);
    function_ = outer;
    scope_ = scope;
    return goes_on;
  }

  bool TraverseStmt(clang::Stmt* s) {
    if (s == nullptr) return true;
    path_.push_back(s);
    const bool goes_on = base::TraverseStmt(s);
    path_.pop_back();
    return goes_on;
  }

  // Initialisers of captures belong to the scope around.
  bool TraverseLambdaExpr(clang::LambdaExpr* l) {
    found_.lambdas.emplace(l, path(path_.begin(), path_.end() - 1));
    found_.outer.emplace(l, scope_);
    found_.functions.emplace(l, function_);
    for (const clang::LambdaCapture& c : l->captures()) {
      if (l->isInitCapture(&c)) TraverseStmt(llvm::cast<clang::VarDecl>(c.getCapturedVar())->getInit());
    }
    const clang::LambdaExpr* const outer = std::exchange(scope_, l);
    for (clang::ParmVarDecl* p : l->getCallOperator()->parameters()) {
      if (p->getTypeSourceInfo() != nullptr) TraverseTypeLoc(p->getTypeSourceInfo()->getTypeLoc());
    }
    const bool goes_on = TraverseStmt(l->getBody());
    scope_ = outer;
    return goes_on;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    found_.references.push_back({e, scope_, path(path_.begin(), path_.end() - 1), function_});
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* e) {
    const auto* const field = llvm::dyn_cast<clang::FieldDecl>(e->getMemberDecl());
    if (field != nullptr && is_type(field->getType(), "shoal::lambda_actor"))
      found_.members.push_back({e, path(path_.begin(), path_.end() - 1)});
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* e) {
    found_.dependent_members.insert(e->getMember().getAsString());
    return true;
  }
  bool VisitInitListExpr(clang::InitListExpr* e) {
    found_.lists.push_back(e->isSemanticForm() ? e : e->getSemanticForm());
    if (found_.lists.back() == nullptr) found_.lists.pop_back();  // in a template
    return true;
  }
  bool VisitCXXParenListInitExpr(clang::CXXParenListInitExpr* e) {
    found_.lists.push_back(e);
    return true;
  }
  bool VisitDecompositionDecl(clang::DecompositionDecl* d) {
    found_.decompositions.push_back(d);
    return true;
  }

  bool VisitExpr(clang::Expr* e) {
    if (e->getType().isNull()) return true;  // as lists in templates
    const bool is_same = llvm::isa<clang::CastExpr, clang::ParenExpr>(e) || llvm::isa<clang::CXXThisExpr>(e);
    const bool is_pointer = e->getType()->isPointerType() && is_type(e->getType()->getPointeeType(), "shoal::world");
    const bool has_name = llvm::isa<clang::DeclRefExpr>(e);
    if (!is_same && (is_pointer || (!has_name && is_type(e->getType(), "shoal::world"))))
      found_.worlds.push_back({e, path_});
    return true;
  }

  bool VisitDeclStmt(clang::DeclStmt* s) {
    if (!s->isSingleDecl()) found_.joined.insert(s->decl_begin(), s->decl_end());
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    const member_call m = member_call_of(call);
    if (m.object == nullptr) return true;
    const unsigned n = n_given(call);
    if (m.name == "send" && (n == 2 || n == 3)) {
      const clang::Expr* const mailbox = n == 3 ? call->getArg(0) : nullptr;
      if (const clang::LambdaExpr* const l = lambda_of(call->getArg(n - 1)))
        found_.sends.push_back({call, mailbox, call->getArg(n - 2), m.object, l, scope_, path_, function_});
    }
    if ((m.name == "send" || m.name == "try_send") && n == 2 && is_type(m.object->getType(), "shoal::lambda_actor")) {
      const send_site site = {call,   nullptr, call->getArg(0), m.object, lambda_of(call->getArg(1)),
                              scope_, path_,   function_};
      found_.actor_sends.push_back({site, call->getArg(1), m.name == "try_send"});
    }
    if (m.name == "finish" && n_given(call) >= 1) {
      const clang::VarDecl* const world = variable_of(m.object);
      if (is_type(m.object->getType(), "shoal::world"))
        found_.finishes.push_back({call, world, lambda_of(call->getArg(0)), path_, function_});
    }
    return true;
  }

  bool TraverseElaboratedTypeLoc(clang::ElaboratedTypeLoc l) {
    const bool outer = std::exchange(is_qualified_, l.getQualifierLoc().hasQualifier());
    const bool goes_on = base::TraverseElaboratedTypeLoc(l);
    is_qualified_ = outer;
    return goes_on;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* e) {
    if (llvm::isa<clang::UnresolvedLookupExpr>(e)) {
      const bool is_qualified = e->getQualifier() != nullptr;
      found_.names.push_back({nullptr, e->getName().getAsString(), e->getNameLoc(), is_qualified});
    }
    return true;
  }

  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc l) { return name(l.getTypedefNameDecl(), l); }
  bool VisitTagTypeLoc(clang::TagTypeLoc l) { return name(l.getDecl(), l); }
  bool VisitUsingTypeLoc(clang::UsingTypeLoc l) { return name(l.getFoundDecl(), l); }
  bool VisitUsingDirectiveDecl(clang::UsingDirectiveDecl* d) { return keep_using(d); }
  bool VisitUsingDecl(clang::UsingDecl* d) { return keep_using(d); }
  bool VisitNamespaceAliasDecl(clang::NamespaceAliasDecl* d) { return keep_using(d); }

  bool VisitReturnStmt(clang::ReturnStmt*) { return escape(); }
  bool VisitBreakStmt(clang::BreakStmt*) { return escape(); }
  bool VisitContinueStmt(clang::ContinueStmt*) { return escape(); }
  bool VisitGotoStmt(clang::GotoStmt*) { return escape(); }
  bool VisitForStmt(clang::ForStmt* s) { return loop(s); }
  bool VisitWhileStmt(clang::WhileStmt* s) { return loop(s); }
  bool VisitDoStmt(clang::DoStmt* s) { return loop(s); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* s) { return loop(s); }
  bool VisitIfStmt(clang::IfStmt* s) {
    found_.branches.push_back({s, path_});
    return true;
  }

private:
  bool name(const clang::NamedDecl* type, clang::TypeLoc at) {
    found_.names.push_back({type, type->getNameAsString(), at.getBeginLoc(), is_qualified_});
    return true;
  }
  bool keep_using(const clang::Decl* d) {
    if (function_ != nullptr) found_.usings.push_back(d);
    return true;
  }
  bool loop(const clang::Stmt* s) {
    found_.loops.push_back({s, path(path_.begin(), path_.end() - 1), function_});
    return true;
  }
  bool escape() {
    found_.escapes.push_back(path_);
    return true;
  }

  clang::SourceManager& sources_;
  path path_;
  const clang::FunctionDecl* function_ = nullptr;
  const clang::LambdaExpr* scope_ = nullptr;
  bool is_qualified_ = false;
  findings found_;
};

}  // namespace

member_call member_call_of(const clang::CallExpr* call) {
  const clang::Expr* const callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(callee)) {
    if (m->isImplicitAccess()) return {};
    return {m->getBase()->IgnoreParenImpCasts(), m->getMemberDecl()->getNameAsString()};
  }
  if (const auto* m = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee)) {
    if (m->isImplicitAccess()) return {};
    return {m->getBase()->IgnoreParenImpCasts(), m->getMember().getAsString()};
  }
  if (const auto* m = llvm::dyn_cast<clang::UnresolvedMemberExpr>(callee)) {
    if (m->isImplicitAccess()) return {};
    return {m->getBase()->IgnoreParenImpCasts(), m->getMemberName().getAsString()};
  }
  return {};
}

const clang::VarDecl* variable_of(const clang::Expr* e) {
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

bool is_type(clang::QualType type, const char* name) {
  type = type.getNonReferenceType();
  if (const clang::CXXRecordDecl* const record = type->getAsCXXRecordDecl())
    return record->getQualifiedNameAsString() == name;
  if (const auto* const t = type->getAs<clang::TemplateSpecializationType>()) {
    const clang::TemplateDecl* const of = t->getTemplateName().getAsTemplateDecl();
    return of != nullptr && of->getQualifiedNameAsString() == name;
  }
  return false;
}

const clang::CallExpr* call_on(const clang::Expr* e, const path& around) {
  for (std::size_t i = around.size(); i != 0 && i + 4 > around.size(); --i) {
    const auto* const call = llvm::dyn_cast<clang::CallExpr>(around[i - 1]);
    if (call != nullptr) return member_call_of(call).object == e ? call : nullptr;
  }
  return nullptr;
}

const clang::LambdaExpr* lambda_of(const clang::Expr* e) {
  return llvm::dyn_cast<clang::LambdaExpr>(e->IgnoreUnlessSpelledInSource());
}

unsigned n_given(const clang::CallExpr* call) {
  unsigned n = call->getNumArgs();
  while (n != 0 && llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(n - 1))) --n;
  return n;
}

void for_each_statement(const clang::Stmt* s, const std::function<void(const clang::Stmt*)>& f) {
  if (s == nullptr) return;
  f(s);
  if (const auto* l = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
    f(l->getLoopVarStmt());
    for (const clang::Stmt* each : {l->getInit(), static_cast<const clang::Stmt*>(l->getRangeInit()), l->getBody()})
      for_each_statement(each, f);
    return;
  }
  for (const clang::Stmt* each : s->children()) for_each_statement(each, f);
}

findings walk(clang::ASTContext& context) {
  walker w(context);
  w.TraverseDecl(context.getTranslationUnitDecl());
  return w.take();
}

}  // namespace shoal::translate
