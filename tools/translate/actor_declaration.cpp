#include "tools/translate/actor_declaration.hpp"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

// What a constructor of the actor gets; null if it is not called in place.
const clang::CXXConstructExpr* made_in_place(const clang::Expr* init) {
  if (init == nullptr) return nullptr;
  const auto* const made = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
  if (made == nullptr || llvm::isa<clang::CXXTemporaryObjectExpr>(made) || made->getNumArgs() < 2) return nullptr;
  return is_type(made->getType(), "shoal::lambda_actor") ? made : nullptr;
}

bool gives_name(const clang::CXXConstructExpr* made) {
  return made->getNumArgs() > 2 && !llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(2));
}

class describer {
public:
  describer(actor& a, const send_site& site, const clang::ASTContext& context, const source_text& text,
            const findings& found)
      : actor_(a), site_(site), context_(context), text_(text), found_(found) {}

  void describe() {
    actor& a = actor_;
    superstep& s = a.plain;
    s.actor = a.declared->getNameAsString();
    s.objects.resize(1);
    const auto* const type =
        llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(a.declared->getType()->getAsCXXRecordDecl());
    if (type == nullptr) a.refuse("its type depends on template parameters");
    a.context = type->getTemplateArgs()[0].getAsType();
    s.objects[0].type = (a.context.isConstQualified() ? "const " : "") + name_of(a.context, context_);
    const std::optional<range> name = text_.of_name(a.declared->getLocation());
    const std::optional<range> whole = text_.of(a.declared->getSourceRange());
    if (!name || !whole || a.declared->hasAttrs() || a.declared->getLocation().isMacroID())
      a.refuse("a macro declares it");
    s.place.type = {whole->begin, name->begin};
    while (text_.whole()[s.place.type.end - 1] == ' ') --s.place.type.end;
    const std::string written = text_.text(s.place.type);
    const bool is_plain = written.starts_with("lambda_actor") || written.starts_with("shoal::lambda_actor");
    if (!is_plain || written.find_first_of(",;*&") != std::string::npos || text_.whole()[text_.next(whole->end)] != ';')
      a.refuse("it is not declared alone, by this name of its type");
    const std::size_t argument = written.find('<');
    if (argument != std::string::npos)
      s.objects[0].type = written.substr(argument + 1, written.find_last_of('>') - argument - 1);
    a.member == nullptr ? describe_variable() : describe_member();
    s.is_outermost = true;
    if (includes_within(s.statement, context_)) a.refuse("another file is included after it");
  }

private:
  void describe_variable() {
    actor& a = actor_;
    superstep& s = a.plain;
    const auto* const v = llvm::cast<clang::VarDecl>(a.declared);
    const clang::CXXConstructExpr* const made = made_in_place(v->getInit());
    const std::optional<range> function =
        site_.function == nullptr ? std::nullopt : text_.of(site_.function->getSourceRange());
    const std::optional<range> whole = text_.of(v->getSourceRange());
    if (made == nullptr || !function || found_.joined.contains(v) || !is_in_block(site_.function->getBody(), v) ||
        text_.whole().find('=', s.place.type.end) < whole->end)
      a.refuse("it is not a statement that constructs it from a world and an object");
    a.world = variable_of(made->getArg(0));
    const clang::CXXRecordDecl* const object = a.context->getAsCXXRecordDecl();
    if (object != nullptr && !llvm::isa<clang::ClassTemplateSpecializationDecl>(object) &&
        object->getDeclContext()->isFileContext() && named_namespace(object) == named_namespace(site_.function))
      s.objects[0].type = (a.context.isConstQualified() ? "const " : "") + object->getNameAsString();
    s.statement = {whole->begin, function->end};
    s.place.arguments_end = whole->end - 1;
    s.place.has_name = gives_name(made);
    s.is_dependent = site_.function->isDependentContext();
    s.function_begin = function_begin(site_.function);
    for (const clang::Decl* d : found_.usings) {
      const std::optional<range> at = text_.of_name(d->getLocation());
      if (at && at->begin >= s.statement.begin && at->begin < s.statement.end)
        a.refuse("a using declaration after it changes what names mean");
    }
  }

  std::size_t function_begin(const clang::FunctionDecl* f) const {
    const std::optional<range> name = text_.of_name(f->getLocation());
    return name.has_value() ? name->begin : 0;
  }

  void describe_member() {
    actor& a = actor_;
    superstep& s = a.plain;
    const clang::CXXRecordDecl* const owner = a.owner();
    if (owner->isExternallyVisible()) a.refuse("other files may know the class that it is a member of");
    if (owner->isDependentContext() || owner->isUnion() || owner->getIdentifier() == nullptr ||
        owner->getNumBases() != 0)
      a.refuse("the class that it is a member of is a template, has a base, or has no name");
    const std::optional<range> whole = text_.of(owner->getSourceRange());
    if (!whole.has_value() || a.member->hasInClassInitializer() || a.member->isMutable())
      a.refuse("it is declared with an initialiser, or by a macro");
    s.statement = {s.place.type.begin, text_.whole().size()};
    s.function_begin = whole->begin;
    check_constructions();
  }

  // Each way to make the object that has it.
  void check_constructions() {
    actor& a = actor_;
    const clang::CXXRecordDecl* const owner = a.owner();
    const auto check_made = [&](const clang::Expr* init) {
      const clang::CXXConstructExpr* const made = made_in_place(init);
      if (made == nullptr) a.refuse("it is not always constructed in its place, from a world and an object");
      a.plain.place.has_name |= gives_name(made);
    };
    for (const clang::CXXConstructorDecl* c : owner->ctors()) {
      const clang::FunctionDecl* body = nullptr;
      if (c->isImplicit() || c->isDeleted() || c->getBody(body) == nullptr) continue;
      for (const clang::CXXCtorInitializer* each : llvm::cast<clang::CXXConstructorDecl>(body)->inits()) {
        if (each->getMember() == a.member) check_made(each->getInit());
      }
    }
    for (const clang::Expr* list : found_.lists) {
      if (list->getType()->getAsCXXRecordDecl() != owner) continue;
      const auto* const l = llvm::dyn_cast<clang::InitListExpr>(list);
      check_made(l == nullptr || l->getNumInits() <= a.member->getFieldIndex() ? nullptr
                                                                               : l->getInit(a.member->getFieldIndex()));
    }
    for (const clang::DecompositionDecl* d : found_.decompositions) {
      if (d->getType().getNonReferenceType()->getAsCXXRecordDecl() == owner) a.refuse("a structured binding names it");
    }
  }

  actor& actor_;
  const send_site& site_;
  const clang::ASTContext& context_;
  const source_text& text_;
  const findings& found_;
};

}  // namespace

const clang::NamespaceDecl* named_namespace(const clang::DeclContext* c) {
  for (; c != nullptr; c = c->getParent()) {
    const auto* const n = llvm::dyn_cast<clang::NamespaceDecl>(c);
    if (n != nullptr && !n->isAnonymousNamespace() && !n->isInline()) return n->getCanonicalDecl();
  }
  return nullptr;
}

void describe_actor(actor& a, const send_site& site, const clang::ASTContext& context, const source_text& text,
                    const findings& found) {
  describer(a, site, context, text, found).describe();
}

}  // namespace shoal::translate
