#include "tools/translate/read_object.hpp"

#include <clang/AST/DeclTemplate.h>

namespace shoal::translate {
namespace {

clang::QualType plain(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

const clang::CXXRecordDecl* class_of(const clang::Expr* given) {
  return given->isTypeDependent() ? nullptr : given->getType().getNonReferenceType()->getAsCXXRecordDecl();
}

// The only function of that name; null if there are others, or templates.
const clang::CXXMethodDecl* only_function(const clang::CXXRecordDecl* r, clang::DeclarationName name) {
  const auto all = r->lookup(name);
  return all.isSingleResult() ? llvm::dyn_cast<clang::CXXMethodDecl>(all.front()) : nullptr;
}

const clang::CXXMethodDecl* call_operator(const clang::CXXRecordDecl* r) {
  return only_function(r, r->getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Call));
}

// The class as it is named from the selector: without what both lie in.
std::string name_from(const clang::CXXRecordDecl* r, const closure_reader& where) {
  std::string name = r->getNameAsString();
  for (const clang::DeclContext* c = r->getDeclContext(); c != nullptr; c = c->getParent()) {
    const auto* const outer = llvm::dyn_cast<clang::CXXRecordDecl>(c);
    if (outer == nullptr) break;
    if (where.owner == nullptr || !is_in_class(where.owner, outer)) name = outer->getNameAsString() + "::" + name;
  }
  return name;
}

}  // namespace

closure_object read_object(const clang::Expr* given, clang::QualType context, const closure_reader& where) {
  const clang::SourceLocation at = given->getBeginLoc();
  const clang::CXXRecordDecl* const r = class_of(given);
  const auto refuse = [&](const std::string& why) { throw not_readable{at, "the closure", why}; };
  if (r == nullptr || r->isLambda() || r->getIdentifier() == nullptr) refuse("it is not written where it is sent");
  const bool is_of_template = llvm::isa<clang::ClassTemplateSpecializationDecl>(r) || r->isDependentContext();
  if (!r->hasDefinition() || r->getNumBases() != 0 || is_of_template) refuse("its type is a template or has a base");
  const std::optional<range> declared = where.text.of_name(r->getDefinition()->getLocation());
  const std::optional<range> whole = where.text.of(r->getDefinition()->getSourceRange());
  if (!declared || !whole || whole->end > where.statement.begin)
    refuse("its type is not defined before the place where the class will stand");
  closure_object its;
  its.type = name_from(r, where);
  const clang::CXXMethodDecl* const call = call_operator(r);
  if (call == nullptr || !call->isConst() || call->isVariadic() || call->getNumParams() > 2 ||
      call->getRefQualifier() != clang::RQ_None || !call->getReturnType()->isVoidType())
    refuse("its call operator is not the only one, const, and of type void");
  its.takes_context = call->getNumParams() > 0;
  its.takes_sender = call->getNumParams() > 1;
  const auto is_context = [&](const clang::ParmVarDecl* p) {
    return p->getType()->isReferenceType() && plain(p->getType()) == plain(context) && !p->hasDefaultArg();
  };
  if (its.takes_context && !is_context(call->getParamDecl(0))) refuse("it does not take the actor's object");
  if (its.takes_sender &&
      (call->getParamDecl(1)->hasDefaultArg() || plain(call->getParamDecl(1)->getType()) != where.context.LongTy))
    refuse("the sender's type is not shoal::pe_id");
  const clang::DeclarationName prefetch = &where.context.Idents.get("prefetch");
  if (r->lookup(prefetch).empty()) return its;
  const clang::CXXMethodDecl* const p = only_function(r, prefetch);
  if (p == nullptr || !p->isConst() || p->getNumParams() > 1 || !p->getReturnType()->isPointerType() ||
      (p->getNumParams() == 1 && !is_context(p->getParamDecl(0))))
    refuse("its prefetch is not the only one, const, and of the actor's object");
  its.has_prefetch = true;
  its.prefetch_takes_context = p->getNumParams() == 1;
  return its;
}

effects effects_of_object(const clang::Expr* given) {
  const clang::CXXMethodDecl* const call = call_operator(class_of(given));
  const clang::FunctionDecl* body = nullptr;
  effects unknown;
  unknown.unknown = "function " + call->getQualifiedNameAsString();
  if (call->getBody(body) == nullptr) return unknown;
  effect_scope scope;
  if (body->getNumParams() > 0) scope.object = body->getParamDecl(0);
  return effects_of(body->getBody(), scope);
}

}  // namespace shoal::translate
