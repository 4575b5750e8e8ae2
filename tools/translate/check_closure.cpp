// What the text of a closure's body would mean in a handler, and what its captures' types mean before the superstep.
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <functional>

#include "tools/translate/read_closure.hpp"
#include "tools/translate/visitor.hpp"

namespace shoal::translate {
namespace {

using declaration_test = std::function<bool(const clang::Decl*)>;

// Looks for names in a type, as it is written or as it is, that have no meaning before the superstep.
class type_visitor final : public visitor {
public:
  explicit type_visitor(declaration_test is_inside) : is_inside_(std::move(is_inside)) {}

  bool has_inside = false;
  bool has_unnamed = false;

protected:
  void visit_statement(clang::Stmt* s) override {
    if (const auto* e = llvm::dyn_cast<clang::DeclRefExpr>(s)) name(e->getDecl());
  }
  void visit_type(clang::Type* type) override {
    if (const auto* t = llvm::dyn_cast<clang::TypedefType>(type)) name(t->getDecl());
    if (const auto* t = llvm::dyn_cast<clang::UsingType>(type)) name(t->getFoundDecl());
    if (llvm::isa<clang::DecltypeType, clang::TypeOfExprType>(type)) has_inside = true;
    if (const auto* t = llvm::dyn_cast<clang::TemplateTypeParmType>(type))
      has_unnamed |= t->getDecl() != nullptr && t->getDecl()->isImplicit();  // of a parameter `auto`
    if (const auto* t = llvm::dyn_cast<clang::TagType>(type)) visit_tag(*t->getDecl());
  }

private:
  void visit_tag(const clang::TagDecl& tag) {
    if (!tag.hasNameForLinkage()) has_unnamed = true;
    for (const clang::DeclContext* d = &tag; d != nullptr; d = d->getParent()) {
      const auto* const of = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(d);
      if (of == nullptr) continue;
      for (const clang::TemplateArgument& a : of->getTemplateArgs().asArray()) traverse_argument(a);
    }
    name(&tag);
  }
  void name(const clang::Decl* d) { has_inside |= is_inside_(d); }

  declaration_test is_inside_;
};

// Refuses what a body declares or says of itself, except in closures that it sends.
class body_visitor final : public visitor {
public:
  body_visitor(const clang::ASTContext& context, const std::set<std::string>& hidden,
               const std::set<std::string>& renamed, std::function<bool(const clang::LambdaExpr*)> is_sent)
      : sources_(context.getSourceManager()), hidden_(hidden), renamed_(renamed), is_sent_(std::move(is_sent)) {}

  void traverse_statement(clang::Stmt* s) override {
    const auto* const l = llvm::dyn_cast<clang::LambdaExpr>(s);
    if (l == nullptr || !is_sent_(l)) below(s);
  }

protected:
  void visit_declaration(clang::Decl* d) override {
    const auto* const n = llvm::dyn_cast<clang::NamedDecl>(d);
    if (n == nullptr || n->getIdentifier() == nullptr || llvm::isa<clang::FieldDecl>(n)) return;
    if (hidden_.contains(n->getName().str()))
      throw not_readable{n->getLocation(), n->getNameAsString(), "it would hide a name of the selector; rename it"};
  }

  void visit_statement(clang::Stmt* s) override {
    if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(s)) visit_string(*text);
    if (llvm::isa<clang::IntegerLiteral>(s) && is_made(s->getBeginLoc())) refuse_own_place(s->getBeginLoc());
    if (llvm::isa<clang::PredefinedExpr, clang::SourceLocExpr>(s)) refuse_own_place(s->getBeginLoc());
  }

private:
  void visit_string(const clang::StringLiteral& s) {
    if (!is_made(s.getBeginLoc()) || s.getCharByteWidth() != 1) return;
    for (const std::string& name : renamed_) {
      if (s.getString().contains(name))
        throw not_readable{s.getBeginLoc(), name, "a macro makes a string of it, and its name will change"};
    }
  }
  // By # or ##, or a line number.
  bool is_made(clang::SourceLocation at) const {
    return at.isMacroID() && sources_.isWrittenInScratchSpace(sources_.getSpellingLoc(at));
  }
  void refuse_own_place(clang::SourceLocation at) const {
    if (at.isMacroID() && sources_.isInSystemMacro(at)) return;
    throw not_readable{at, "the closure", "it says its own line or its own name, which will be others"};
  }

  const clang::SourceManager& sources_;
  const std::set<std::string>& hidden_;
  const std::set<std::string>& renamed_;
  std::function<bool(const clang::LambdaExpr*)> is_sent_;
};

bool is_read(const clang::Stmt* around) {
  const auto* const cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(around);
  return cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue;
}

// What a name stands in, without parentheses.
const clang::Stmt* nearest(const reference& r) {
  auto near = r.around.rbegin();
  while (near != r.around.rend() && llvm::isa<clang::ParenExpr>(*near)) ++near;
  return near == r.around.rend() ? nullptr : *near;
}

// In a template no cast is there yet.
bool is_target(const reference& r) {
  const auto* const call = llvm::dyn_cast_or_null<clang::CallExpr>(nearest(r));
  return call != nullptr && call->isTypeDependent() && member_call_of(call).name == "send";
}

}  // namespace

std::set<std::string> names_in_selector(const clang::ASTContext& context) {
  std::set<std::string> names = {"process", "selector"};
  for (const clang::Decl* d : context.getTranslationUnitDecl()->decls()) {
    const auto* const n = llvm::dyn_cast<clang::NamespaceDecl>(d);
    if (n == nullptr || n->getName() != "shoal") continue;
    for (const clang::NamedDecl* found : n->lookup(&context.Idents.get("selector"))) {
      const auto* const t = llvm::dyn_cast<clang::ClassTemplateDecl>(found);
      if (t == nullptr) continue;
      for (const clang::Decl* m : t->getTemplatedDecl()->getMostRecentDecl()->decls()) {
        if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(m)) names.insert(named->getNameAsString());
      }
    }
  }
  return names;
}

bool is_in_class(const clang::DeclContext* inner, const clang::CXXRecordDecl* outer) {
  for (; inner != nullptr; inner = inner->getParent()) {
    if (inner->getPrimaryContext() == outer->getPrimaryContext()) return true;
  }
  return false;
}

std::string closure_reader::type_of(const clang::ValueDecl* v, clang::QualType type, clang::SourceLocation at) const {
  const std::string name = v->getNameAsString();
  const auto is_inside = [this](const clang::Decl* d) { return is_declared_inside(d); };
  type_visitor written(is_inside);
  written.traverse_type(type);
  type_visitor meant(is_inside);
  meant.traverse_type(type.getCanonicalType());
  if (meant.has_unnamed || written.has_unnamed) throw not_readable{at, name, "its type has no name"};
  if (!type->isDependentType() && meant.has_inside)
    throw not_readable{at, name, "its type is declared in the superstep"};
  const bool is_elsewhere = written.has_inside || llvm::isa<clang::BindingDecl>(v);
  if (is_elsewhere && type->isDependentType())
    throw not_readable{at, name, "its type has another meaning before the superstep"};
  return name_of(is_elsewhere ? type.getCanonicalType() : type, context);
}

bool closure_reader::is_unknown_in_body(const clang::Decl* d) const {
  if (!is_declared_inside(d)) return false;
  for (const clang::DeclContext* c = d->getDeclContext(); owner != nullptr && c != nullptr; c = c->getParent()) {
    const auto* const r = llvm::dyn_cast<clang::CXXRecordDecl>(c);
    if (r != nullptr && is_in_class(owner, r)) return false;
  }
  return true;
}

bool closure_reader::is_another_in_owner(const clang::NamedDecl* d) const {
  if (owner == nullptr) return false;
  const clang::DeclContext* of = d->getDeclContext();
  while (llvm::isa<clang::EnumDecl>(of)) of = of->getParent();
  if (const auto* const r = llvm::dyn_cast<clang::CXXRecordDecl>(of)) return !is_in_class(owner, r);
  for (const clang::DeclContext* c = owner; c != nullptr; c = c->getParent()) {
    const auto* const r = llvm::dyn_cast<clang::CXXRecordDecl>(c);
    if (r == nullptr) continue;
    for (const clang::NamedDecl* its : r->lookup(d->getDeclName())) {
      const auto* const type = llvm::dyn_cast<clang::CXXRecordDecl>(its);
      const bool is_own_name = type != nullptr && type->isInjectedClassName() && r == d;
      if (!is_own_name && its->getCanonicalDecl() != d->getCanonicalDecl()) return true;
    }
  }
  return false;
}

bool closure_reader::keeps_value(const clang::ValueDecl* v, range body) const {
  return std::ranges::all_of(found.references, [&](const reference& r) {
    if (r.name->getDecl() != v) return true;
    const std::optional<range> at = text.of_name(r.name->getLocation());
    if (at.has_value() && (at->begin < body.begin || at->begin >= body.end)) return true;
    return r.name->getType().isConstQualified() || is_read(nearest(r)) || is_target(r);
  });
}

bool closure_reader::is_only_number(const clang::ValueDecl* v, range body) const {
  const auto is_in = [&](clang::SourceLocation where) {
    const std::optional<range> at = text.of_name(where);
    return !at.has_value() || (at->begin >= body.begin && at->begin < body.end);
  };
  for (const auto& [l, around] : found.lambdas) {
    for (const clang::LambdaCapture& each : l->explicit_captures()) {
      if (each.capturesVariable() && each.getCapturedVar() == v && each.getCaptureKind() == clang::LCK_ByRef &&
          is_in(each.getLocation()))
        return false;
    }
  }
  return std::ranges::all_of(found.references, [&](const reference& r) {
    if (r.name->getDecl() != v || !is_in(r.name->getLocation())) return true;
    const clang::Stmt* const near = nearest(r);
    if (is_read(near) || is_target(r)) return true;
    const auto* const e = llvm::dyn_cast_or_null<clang::Expr>(near);
    const auto* const u = llvm::dyn_cast_or_null<clang::UnaryOperator>(near);
    const bool is_call = llvm::isa_and_nonnull<clang::CallExpr>(near) && !llvm::isa<clang::CXXOperatorCallExpr>(near);
    return e != nullptr && e->isTypeDependent() && !is_call && (u == nullptr || u->getOpcode() != clang::UO_AddrOf);
  });
}

void closure_reader::check_declarations(const read_closure& c) const {
  std::set<std::string> hidden = {"send"};
  for (const read_closure& each : closures) {
    if (!each.plain.context_name.empty()) hidden.insert(each.plain.context_name);
    for (const capture& k : each.plain.captures) {
      if (k.known == knowledge::member) hidden.insert({k.name, k.text});
    }
  }
  const clang::SourceLocation at = c.lambda->getBeginLoc();
  const auto check = [&](const std::string& name) {
    if (hidden.contains(name))
      throw not_readable{at, name, "it would hide a name of the selector that another closure has; rename it"};
  };
  if (!c.plain.sender_name.empty()) check(c.plain.sender_name);
  const auto has_name = [](const capture& k) {  // in its handler
    return (k.known == knowledge::constant && !k.type.empty()) || k.known == knowledge::sender;
  };
  for (const capture& k : c.plain.captures) {
    if (has_name(k)) check(k.name);
  }
  std::set<std::string> renamed = {c.plain.context_name};
  renamed.erase("");
  for (const capture& k : c.plain.captures) {
    if (k.known != knowledge::constant) renamed.insert(k.name);
    if (has_name(k)) hidden.insert(k.name);
  }
  for (const use& u : c.plain.uses) {
    if (u.kind == use_kind::kept_capture && u.index != none && c.plain.captures[u.index].known == knowledge::sent)
      check(c.plain.captures[u.index].name);
  }
  const auto is_sent = [&](const clang::LambdaExpr* l) {
    return std::ranges::find(closures, l, &read_closure::lambda) != closures.end();
  };
  body_visitor(context, hidden, renamed, is_sent).traverse_statement(c.lambda->getBody());
}

}  // namespace shoal::translate
