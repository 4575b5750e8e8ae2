#include "tools/translate/walk.hpp"

#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <utility>

#include "tools/translate/visitor.hpp"

namespace shoal::translate {
namespace {

class walker final : public visitor {
public:
  explicit walker(clang::ASTContext& context) : sources_(context.getSourceManager()) {}

  findings take() { return std::move(found_); }

  void traverse_declaration(clang::Decl* d) override {
    const bool is_outside = function_ == nullptr && !llvm::isa<clang::TranslationUnitDecl>(d);
    if (is_outside && !sources_.isInMainFile(sources_.getExpansionLoc(d->getLocation()))) return;
    const auto* const f = llvm::dyn_cast<clang::FunctionDecl>(d);
    if (f == nullptr) return below(d);
    path around;
    around.swap(path_);
    const clang::FunctionDecl* const outer = std::exchange(function_, f);
    const clang::LambdaExpr* const scope = std::exchange(scope_, nullptr);
    below(d);
    path_.swap(around);
    function_ = outer;
    scope_ = scope;
  }

  void traverse_statement(clang::Stmt* s) override {
    path_.push_back(s);
    if (auto* const l = llvm::dyn_cast<clang::LambdaExpr>(s)) {
      traverse_lambda(*l);
    } else {
      below(s);
    }
    path_.pop_back();
  }

  void traverse_type_as_written(clang::TypeLoc l) override {
    const auto elaborated = l.getUnqualifiedLoc().getAs<clang::ElaboratedTypeLoc>();
    if (elaborated.isNull()) return below(l);
    const bool outer = std::exchange(is_qualified_, elaborated.getQualifierLoc().hasQualifier());
    below(l);
    is_qualified_ = outer;
  }

protected:
  void visit_declaration(clang::Decl* d) override {
    if (auto* const parts = llvm::dyn_cast<clang::DecompositionDecl>(d)) found_.decompositions.push_back(parts);
    if (function_ != nullptr && llvm::isa<clang::UsingDirectiveDecl, clang::UsingDecl, clang::NamespaceAliasDecl>(d))
      found_.usings.push_back(d);
  }

  void visit_statement(clang::Stmt* s) override {
    if (auto* const e = llvm::dyn_cast<clang::Expr>(s)) return visit_expression(*e);
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s); d != nullptr && !d->isSingleDecl())
      found_.joined.insert(d->decl_begin(), d->decl_end());
    if (llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(s))
      found_.escapes.push_back(path_);
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s))
      found_.loops.push_back({s, around(), function_});
    if (auto* const branch = llvm::dyn_cast<clang::IfStmt>(s)) found_.branches.push_back({branch, path_});
  }

  void visit_type_as_written(clang::TypeLoc l) override {
    if (const auto alias = l.getAs<clang::TypedefTypeLoc>()) name(alias.getTypedefNameDecl(), l);
    if (const auto tag = l.getAs<clang::TagTypeLoc>()) name(tag.getDecl(), l);
    if (const auto used = l.getAs<clang::UsingTypeLoc>()) name(used.getFoundDecl(), l);
  }

private:
  // What the statement on the way lies in.
  path around() const { return path(path_.begin(), path_.end() - 1); }

  // Initialisers of captures belong to the scope around.
  void traverse_lambda(clang::LambdaExpr& l) {
    found_.lambdas.emplace(&l, around());
    found_.outer.emplace(&l, scope_);
    found_.functions.emplace(&l, function_);
    for (const clang::LambdaCapture& c : l.captures()) {
      if (!l.isInitCapture(&c)) continue;
      if (clang::Expr* const init = llvm::cast<clang::VarDecl>(c.getCapturedVar())->getInit()) traverse_statement(init);
    }
    const clang::LambdaExpr* const outer = std::exchange(scope_, &l);
    for (clang::ParmVarDecl* p : l.getCallOperator()->parameters()) {
      if (p->getTypeSourceInfo() != nullptr) traverse_type_as_written(p->getTypeSourceInfo()->getTypeLoc());
    }
    traverse_statement(l.getBody());
    scope_ = outer;
  }

  void visit_expression(clang::Expr& e) {
    find_world(e);
    if (auto* const reference = llvm::dyn_cast<clang::DeclRefExpr>(&e))
      found_.references.push_back({reference, scope_, around(), function_});
    if (auto* const m = llvm::dyn_cast<clang::MemberExpr>(&e)) {
      const auto* const field = llvm::dyn_cast<clang::FieldDecl>(m->getMemberDecl());
      if (field != nullptr && is_type(field->getType(), "shoal::lambda_actor")) found_.members.push_back({m, around()});
    }
    if (const auto* m = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(&e))
      found_.dependent_members.insert(m->getMember().getAsString());
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&e)) {
      const clang::InitListExpr* const meant = list->isSemanticForm() ? list : list->getSemanticForm();
      if (meant != nullptr) found_.lists.push_back(meant);  // null in a template
    }
    if (const auto* list = llvm::dyn_cast<clang::CXXParenListInitExpr>(&e)) found_.lists.push_back(list);
    if (const auto* names = llvm::dyn_cast<clang::UnresolvedLookupExpr>(&e)) {
      const bool is_qualified = names->getQualifier() != nullptr;
      found_.names.push_back({nullptr, names->getName().getAsString(), names->getNameLoc(), is_qualified});
    }
    if (auto* const call = llvm::dyn_cast<clang::CallExpr>(&e)) visit_call(call);
  }

  void find_world(const clang::Expr& e) {
    if (e.getType().isNull()) return;  // as lists in templates
    const bool is_same = llvm::isa<clang::CastExpr, clang::ParenExpr>(e) || llvm::isa<clang::CXXThisExpr>(e);
    const bool is_pointer = e.getType()->isPointerType() && is_type(e.getType()->getPointeeType(), "shoal::world");
    const bool has_name = llvm::isa<clang::DeclRefExpr>(e);
    if (!is_same && (is_pointer || (!has_name && is_type(e.getType(), "shoal::world"))))
      found_.worlds.push_back({&e, path_});
  }

  void visit_call(clang::CallExpr* call) {
    const member_call m = member_call_of(call);
    if (m.object == nullptr) return;
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
    if (m.name == "finish" && n >= 1 && is_type(m.object->getType(), "shoal::world"))
      found_.finishes.push_back({call, variable_of(m.object), lambda_of(call->getArg(0)), path_, function_});
  }

  void name(const clang::NamedDecl* type, clang::TypeLoc at) {
    found_.names.push_back({type, type->getNameAsString(), at.getBeginLoc(), is_qualified_});
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
  w.traverse_declaration(context.getTranslationUnitDecl());
  return w.take();
}

}  // namespace shoal::translate
