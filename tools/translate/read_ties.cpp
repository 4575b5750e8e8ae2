#include "tools/translate/read_ties.hpp"

#include <algorithm>

#include "tools/translate/read_closure.hpp"

namespace shoal::translate {
namespace {

[[noreturn]] void refuse(const clang::FieldDecl* member, const std::string& why) {
  throw not_readable{member->getLocation(), member->getNameAsString(), why};
}

// A variable of a function that is no reference.
const clang::VarDecl* own_variable(const clang::Expr* e) {
  const clang::VarDecl* const v = e == nullptr ? nullptr : variable_of(e->IgnoreImplicit());
  const bool is_own = v != nullptr && v->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(v);
  return is_own && !v->getType()->isReferenceType() ? v : nullptr;
}

const clang::InitListExpr* list_of(const clang::Expr* init) {
  const auto* const list = init == nullptr ? nullptr : llvm::dyn_cast<clang::InitListExpr>(init->IgnoreImplicit());
  return list == nullptr || list->isSemanticForm() ? list : list->getSemanticForm();
}

bool is_of(const clang::Expr* list, const clang::FieldDecl* member) {
  const clang::CXXRecordDecl* const r = list->getType()->getAsCXXRecordDecl();
  return r != nullptr && r->getCanonicalDecl() == member->getParent()->getCanonicalDecl();
}

}  // namespace

const clang::FieldDecl* tie_of(const clang::Expr* e) {
  const auto* const m = llvm::dyn_cast<clang::MemberExpr>(e);
  const auto* const field =
      m == nullptr || m->isArrow() ? nullptr : llvm::dyn_cast<clang::FieldDecl>(m->getMemberDecl());
  const bool is_tie = field != nullptr && field->getType()->isReferenceType();
  return is_tie && is_type(field->getType(), "shoal::lambda_actor") ? field : nullptr;
}

const clang::VarDecl* tied_actor(const clang::FieldDecl* member, const clang::VarDecl* actor) {
  const auto* const owner = llvm::cast<clang::CXXRecordDecl>(member->getParent());
  if (owner->isExternallyVisible() || owner->isDependentContext() || !owner->isAggregate() || owner->isUnion() ||
      owner->getNumBases() != 0)
    refuse(member, "its class is not an aggregate without bases that only this file knows");
  const auto* const made = actor->getInit() == nullptr
                               ? nullptr
                               : llvm::dyn_cast<clang::CXXConstructExpr>(actor->getInit()->IgnoreImplicit());
  const clang::VarDecl* const object =
      made == nullptr || made->getNumArgs() < 2 ? nullptr : own_variable(made->getArg(1));
  const clang::InitListExpr* const list = object == nullptr ? nullptr : list_of(object->getInit());
  const bool is_list = list != nullptr && is_of(list, member) && list->getNumInits() > member->getFieldIndex();
  const clang::VarDecl* const bound = is_list ? own_variable(list->getInit(member->getFieldIndex())) : nullptr;
  if (bound == nullptr || !is_type(bound->getType(), "shoal::lambda_actor") ||
      bound->getDeclContext() != actor->getDeclContext() || object->getDeclContext() != actor->getDeclContext())
    refuse(member,
           "nothing proves which actor it names where a closure runs: let the actor's object be a variable of "
           "the function that is made by a list, with an actor of the function for this member");
  return bound;
}

std::vector<const clang::Expr*> bound_to(const clang::FieldDecl* member, const findings& found) {
  std::vector<const clang::Expr*> all;
  for (const clang::Expr* each : found.lists) {
    if (!is_of(each, member)) continue;
    const auto* const list = llvm::dyn_cast<clang::InitListExpr>(each);
    if (list == nullptr || list->getNumInits() <= member->getFieldIndex())
      refuse(member, "an object of its class is made otherwise than by a list");
    all.push_back(list->getInit(member->getFieldIndex())->IgnoreImplicit());
  }
  return all;
}

std::vector<range> text_of_tie(const clang::FieldDecl* member, const source_text& text, const findings& found) {
  const std::optional<range> whole = text.of(member->getSourceRange());
  if (!whole || member->hasAttrs() || text.text(*whole).find(',') != std::string::npos ||
      text.whole()[text.next(whole->end)] != ';')
    refuse(member, "it is not declared alone");
  const bool is_named =
      found.dependent_members.contains(member->getNameAsString()) ||
      std::ranges::any_of(found.references, [&](const reference& r) { return r.name->getDecl() == member; }) ||
      std::ranges::any_of(found.decompositions, [&](const clang::DecompositionDecl* d) {
        return d->getType().getNonReferenceType()->getAsCXXRecordDecl() == member->getParent();
      });
  if (is_named) refuse(member, "a template, a pointer to members or a structured binding may name it");
  std::vector<range> gone = {{whole->begin, text.next(whole->end) + 1}};
  for (const clang::Expr* each : found.lists) {
    if (!is_of(each, member)) continue;
    const auto* const semantic = llvm::cast<clang::InitListExpr>(each);
    const clang::InitListExpr* const list =
        semantic->getSyntacticForm() == nullptr ? semantic : semantic->getSyntacticForm();
    const unsigned i = member->getFieldIndex();
    const auto at = [&](unsigned k) {
      const bool is_plain = k < list->getNumInits() && !llvm::isa<clang::DesignatedInitExpr>(list->getInit(k));
      const std::optional<range> r = is_plain ? text.of(written(list->getInit(k))) : std::nullopt;
      if (!r.has_value()) refuse(member, "a list that binds it leaves out braces, has designators, or is in a macro");
      return *r;
    };
    const range own = at(i);
    if (text.text(own) != text.text(*text.of(semantic->getInit(i)->getSourceRange())))
      refuse(member, "a list that binds it leaves out braces");
    gone.push_back(i > 0                     ? range{at(i - 1).end, own.end}
                   : list->getNumInits() > 1 ? range{own.begin, at(1).begin}
                                             : own);
  }
  return gone;
}

}  // namespace shoal::translate
