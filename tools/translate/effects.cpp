#include "tools/translate/effects.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

#include <optional>

#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

// Containers whose elements are their own, and nobody else's.
bool owns_elements(clang::QualType type) {
  const clang::CXXRecordDecl* const record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->isInStdNamespace()) return false;
  static const std::set<std::string> names = {"vector", "array",         "deque",         "map",
                                              "set",    "unordered_map", "unordered_set", "basic_string"};
  const clang::QualType element = [&] {
    const auto* s = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    return s != nullptr && s->getTemplateArgs().size() != 0 &&
                   s->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type
               ? s->getTemplateArgs()[0].getAsType()
               : clang::QualType();
  }();
  return names.contains(record->getName().str()) && (element.isNull() || !element->isAnyPointerType());
}

// Whether to make, copy, compare and destroy objects calls nothing but the standard library.
bool is_quiet(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (const clang::Type* const element = type->getArrayElementTypeNoTypeQual(); element != nullptr)
    return !type->isVariableArrayType() && is_quiet(clang::QualType(element, 0));
  const clang::CXXRecordDecl* const record = type->getAsCXXRecordDecl();
  if (record == nullptr) return true;
  if (!record->hasDefinition()) return false;
  if (!record->isInStdNamespace()) return record->hasTrivialDestructor();
  static const std::set<std::string> keepers = {"function", "move_only_function", "any", "shared_ptr", "weak_ptr"};
  static const std::set<std::string> plain = {"vector", "array", "deque", "pair", "tuple", "optional", "allocator"};
  const std::string name = record->getName().str();
  if (keepers.contains(name)) return false;
  const auto* const s = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (s == nullptr) return true;
  const auto is_quiet_argument = [&](const clang::TemplateArgument& a) {
    if (a.getKind() != clang::TemplateArgument::Type) return true;
    const clang::CXXRecordDecl* const r = a.getAsType()->getAsCXXRecordDecl();
    // Others call what classes define: to compare, to hash, to delete.
    if (r != nullptr && !r->isInStdNamespace() && !plain.contains(name)) return false;
    return is_quiet(a.getAsType());
  };
  for (const clang::TemplateArgument& a : s->getTemplateArgs().asArray()) {
    if (a.getKind() != clang::TemplateArgument::Pack) {
      if (!is_quiet_argument(a)) return false;
      continue;
    }
    for (const clang::TemplateArgument& each : a.pack_elements()) {
      if (!is_quiet_argument(each)) return false;
    }
  }
  return true;
}

bool is_in_std(const clang::FunctionDecl* f) {
  const clang::DeclContext* around = f->getDeclContext();
  while (around->isRecord()) around = around->getParent();
  return around->isStdNamespace();
}

bool is_stream(clang::QualType type) {
  const clang::CXXRecordDecl* const r = type.getNonReferenceType()->getAsCXXRecordDecl();
  return r != nullptr && r->isInStdNamespace() && r->getName() == "basic_ostream";
}

// Whether a function of the standard library that gets it can touch only what the expression names itself.
bool is_plain_argument(const clang::Expr* e) {
  e = e->IgnoreUnlessSpelledInSource();
  const clang::QualType type = e->getType().getNonReferenceType();
  if (type->isArithmeticType() || type->isEnumeralType() || owns_elements(type) || is_stream(type)) return true;
  if (llvm::isa<clang::LambdaExpr, clang::StringLiteral>(e)) return true;
  const auto* const call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
  if (call == nullptr || call->getDirectCallee() == nullptr) return false;
  static const std::set<std::string> ends = {"begin", "end", "cbegin", "cend", "rbegin", "rend"};
  return ends.contains(call->getDirectCallee()->getNameAsString()) &&
         owns_elements(call->getImplicitObjectArgument()->getType());
}

// Whether a result leads to objects that no argument names.
bool leads_elsewhere(const clang::FunctionDecl* f, const clang::Expr* object) {
  const clang::QualType type = f->getReturnType();
  if (!type->isReferenceType() && !type->isPointerType()) return false;
  if (is_stream(type)) return false;
  static const std::set<std::string> pick = {"max", "min", "clamp"};
  if (is_in_std(f) && type->isReferenceType() && pick.contains(f->getNameAsString())) return false;
  return object == nullptr || !owns_elements(object->getType());
}

class effect_reader {
public:
  explicit effect_reader(const effect_scope& scope) : scope_(scope) {}

  void look(const clang::Stmt* s) {
    if (s == nullptr) return;
    if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) return look_at(e);
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) return look_at_declarations(d);
    if (const auto* f = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) return look_at_range(f);
    if (llvm::isa<clang::AsmStmt, clang::CoroutineBodyStmt>(s)) fail("assembly or a coroutine");
    for (const clang::Stmt* each : s->children()) look(each);
  }

  effects take() { return std::move(found_); }

private:
  void fail(const std::string& what) {
    if (found_.unknown.empty()) found_.unknown = what;
  }

  void look_at_range(const clang::CXXForRangeStmt* f) {
    const clang::Expr* const range = f->getRangeInit();
    if (range->isTypeDependent() || (!owns_elements(range->getType()) && !range->getType()->isArrayType()))
      fail("what a range holds");
    const clang::QualType each = f->getLoopVariable()->getType();
    const clang::CXXRecordDecl* const record = each->getAsCXXRecordDecl();
    const bool is_copied =
        record != nullptr && !record->isInStdNamespace() && !each.isTrivialType(f->getLoopVariable()->getASTContext());
    if (is_copied || !is_quiet(each)) fail("copies of what a range holds");
    look(f->getInit());
    look(range);
    look(f->getBody());
  }

  void look_at_declarations(const clang::DeclStmt* d) {
    for (const clang::Decl* each : d->decls()) {
      const auto* v = llvm::dyn_cast<clang::VarDecl>(each);
      if (v == nullptr) continue;
      if (v->hasGlobalStorage()) fail("a static variable");
      if (!v->getType()->isReferenceType() && !is_quiet(v->getType()))
        fail("an object " + v->getNameAsString() + " that calls functions");
      if (const auto* const parts = llvm::dyn_cast<clang::DecompositionDecl>(v)) {
        for (const clang::BindingDecl* b : parts->bindings()) {
          if (b->getHoldingVar() != nullptr) fail("a structured binding");
        }
      }
      look(v->getInit());
    }
  }

  // What an expression names: an object or a member of one; nothing if it is a value or a local variable.
  std::optional<std::string> place_of(const clang::Expr* e) {
    e = e->IgnoreParens();
    if (const auto* c = llvm::dyn_cast<clang::ImplicitCastExpr>(e); c != nullptr && c->getCastKind() == clang::CK_NoOp)
      return place_of(c->getSubExpr());
    if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) return place_of_member(m);
    if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
      if (o->getOperator() == clang::OO_Subscript && o->getNumArgs() == 2 && owns_elements(o->getArg(0)->getType())) {
        return place_of(o->getArg(0));
      }
      if (o->getOperator() == clang::OO_Star && o->getNumArgs() == 1) return object_of_handle(o->getArg(0));
    }
    if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      const auto* decayed = llvm::dyn_cast<clang::ImplicitCastExpr>(a->getBase()->IgnoreParens());
      if (decayed != nullptr && decayed->getCastKind() == clang::CK_ArrayToPointerDecay)
        return place_of(decayed->getSubExpr());
    }
    const clang::VarDecl* const v = variable_of(e);
    if (v == nullptr || e->getType()->isFunctionType()) return std::nullopt;
    return place_of_variable(v);
  }

  std::optional<std::string> place_of_variable(const clang::VarDecl* v) {
    if (v == scope_.object) return "the object";
    if (!v->hasGlobalStorage() || is_constant(v)) return std::nullopt;
    if (v->getType()->isReferenceType()) fail("reference " + v->getNameAsString());
    return "::" + v->getNameAsString();
  }

  static bool is_constant(const clang::VarDecl* v) {
    const clang::QualType type = v->getASTContext().getBaseElementType(v->getType());
    const clang::CXXRecordDecl* const record = type->getAsCXXRecordDecl();
    return type.isConstQualified() && (record == nullptr || (record->hasDefinition() && !record->hasMutableFields()));
  }

  // Handles of one type may give one object.
  static std::optional<std::string> object_of_handle(const clang::Expr* e) {
    const clang::VarDecl* const v = variable_of(e);
    if (v == nullptr || !is_type(v->getType(), "shoal::pe_handle")) return std::nullopt;
    return "per_pe " + v->getType().getNonReferenceType().getCanonicalType().getUnqualifiedType().getAsString();
  }

  std::optional<std::string> place_of_member(const clang::MemberExpr* m) {
    if (const auto* const v = llvm::dyn_cast<clang::VarDecl>(m->getMemberDecl())) {
      look(m->getBase());
      return place_of_variable(v);
    }
    const auto* const field = llvm::dyn_cast<clang::FieldDecl>(m->getMemberDecl());
    if (field == nullptr) return std::nullopt;
    std::optional<std::string> whole;
    if (m->isArrow()) {
      const auto* const o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(m->getBase()->IgnoreParenImpCasts());
      if (o != nullptr && o->getOperator() == clang::OO_Arrow) whole = object_of_handle(o->getArg(0));
      if (!whole.has_value()) return std::nullopt;
    } else {
      whole = place_of(m->getBase());
    }
    if (!whole.has_value()) return std::nullopt;
    if (field->getType()->isReferenceType()) fail("member " + field->getNameAsString() + ", a reference");
    const bool is_part = whole->find('.') != std::string::npos;
    return is_part || field->getParent()->isUnion() ? whole : *whole + "." + field->getNameAsString();
  }

  // The subscripts on the way to a place.
  void look_along(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) return look_along(m->getBase());
    if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      look(a->getIdx());
      return look_along(a->getBase());
    }
    if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
      if (o->getOperator() == clang::OO_Subscript) look(o->getArg(1));
      look_along(o->getArg(0));
    }
  }

  bool touch(const clang::Expr* e, bool writes) {
    const std::optional<std::string> place = place_of(e);
    if (!place.has_value()) return false;
    look_along(e);
    // Subscripts of maps make elements.
    (writes ? found_.writes : found_.reads).insert(*place);
    return true;
  }

  static bool makes_elements(const clang::Expr* e) {
    const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e->IgnoreParens());
    if (o == nullptr || o->getOperator() != clang::OO_Subscript) return false;
    const clang::CXXRecordDecl* r = o->getArg(0)->getType()->getAsCXXRecordDecl();
    return r != nullptr && (r->getName() == "map" || r->getName() == "unordered_map");
  }

  void look_at(const clang::Expr* e) {
    if (e->isTypeDependent() && llvm::isa<clang::CallExpr>(e)) return look_at_dependent(llvm::cast<clang::CallExpr>(e));
    if (const auto* c = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      const bool reads = c->getCastKind() == clang::CK_LValueToRValue ||
                         (c->getCastKind() == clang::CK_NoOp && c->getType().isConstQualified());
      if (reads && touch(c->getSubExpr(), makes_elements(c->getSubExpr()))) return;
      return look(c->getSubExpr());
    }
    if (const auto* p = llvm::dyn_cast<clang::ParenExpr>(e)) return look(p->getSubExpr());
    if (touch(e, true)) return;  // bound to a reference, assigned, or the like
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) return look_at_call(call);
    if (const auto* c = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
      const clang::CXXConstructorDecl* const made = c->getConstructor();
      if (!is_quiet(c->getType())) fail("an object of " + made->getNameAsString());
      if (made->getParent()->isInStdNamespace()) {
        if (!made->isCopyOrMoveConstructor()) look_at_given(made, c->arguments());
      } else if (!made->isTrivial()) {
        if (!made->isConstexpr()) fail("a constructor of " + made->getNameAsString());
        look_into(made);
      }
    } else if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      if (u->getOpcode() == clang::UO_Deref) fail("what a pointer points to");
    } else if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      const auto* base = llvm::dyn_cast<clang::ImplicitCastExpr>(a->getBase()->IgnoreParens());
      if (base == nullptr || base->getCastKind() != clang::CK_ArrayToPointerDecay) fail("what a pointer points to");
    } else if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (m->isArrow()) fail("what a pointer points to");
    } else if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      if (b->getOpcode() == clang::BO_PtrMemI) fail("what a pointer points to");
    } else if (const auto* t = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e)) {
      if (!is_quiet(t->getType())) fail("a temporary object that calls functions");
    } else if (const auto* i = llvm::dyn_cast<clang::CXXDefaultInitExpr>(e)) {
      return look(i->getExpr());
    } else if (const auto* d = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) {
      return look(d->getExpr());
    } else if (const auto* n = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* const part = llvm::dyn_cast<clang::BindingDecl>(n->getDecl());
      if (part != nullptr && !part->getDeclContext()->isFunctionOrMethod()) fail("a structured binding");
    } else if (llvm::isa<clang::CXXInheritedCtorInitExpr, clang::AtomicExpr, clang::CXXThrowExpr, clang::CXXNewExpr,
                         clang::CXXDeleteExpr, clang::CoawaitExpr, clang::CXXDependentScopeMemberExpr,
                         clang::UnresolvedMemberExpr>(e)) {
      fail("an expression of an unknown kind");
    } else if (const auto* l = llvm::dyn_cast<clang::LambdaExpr>(e)) {
      return look_at_lambda(l);
    }
    for (const clang::Stmt* each : e->children()) look(each);
  }

  // What it captures by reference, its body names.
  void look_at_lambda(const clang::LambdaExpr* l) {
    lambdas_.insert(l->getLambdaClass());
    auto value = l->capture_init_begin();
    for (const clang::LambdaCapture& c : l->captures()) {
      if (!c.capturesVariable()) fail("what a lambda captures");
      if (l->isInitCapture(&c) || c.getCaptureKind() == clang::LCK_ByCopy) look(*value);
      ++value;
    }
    look(l->getBody());
  }

  // Functions that compilers may run; what they are given is looked at where they are called.
  void look_into(const clang::FunctionDecl* f) {
    const clang::FunctionDecl* whole = nullptr;
    if (f->getBody(whole) == nullptr) return fail("function " + f->getNameAsString());
    if (!insides_.insert(whole).second) return;
    if (const auto* const made = llvm::dyn_cast<clang::CXXConstructorDecl>(whole)) {
      for (const clang::CXXCtorInitializer* each : made->inits()) look(each->getInit());
    }
    look(whole->getBody());
  }

  void look_at_dependent(const clang::CallExpr* call) {
    if (scope_.sends.contains(call)) return look_at_send(call);
    if (asks_world(call)) return;
    fail("a call that depends on template parameters");
  }

  bool asks_world(const clang::CallExpr* call) const {
    const member_call m = member_call_of(call);
    return m.object != nullptr && scope_.world != nullptr && variable_of(m.object) == scope_.world &&
           (m.name == "my_pe" || m.name == "n_pes");
  }

  void look_at_send(const clang::CallExpr* call) {
    look(call->getArg(0));
    const clang::LambdaExpr* const l = lambda_of(call->getArg(1));
    for (const clang::LambdaCapture& c : l->captures()) {
      if (l->isInitCapture(&c)) look(llvm::cast<clang::VarDecl>(c.getCapturedVar())->getInit());
    }
  }

  void look_at_call(const clang::CallExpr* call) {
    if (scope_.sends.contains(call)) return look_at_send(call);
    const clang::FunctionDecl* const f = call->getDirectCallee();
    if (f == nullptr) return fail("a call of an unknown function");
    const auto* const m = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    if (m != nullptr) {
      const clang::Expr* const object = m->getImplicitObjectArgument();
      if (asks_world(call)) return;
      if (!is_in_std(f)) return fail("function " + f->getNameAsString());
      if (!is_quiet(object->getType())) return fail("what " + f->getNameAsString() + " calls");
      const bool is_const = m->getMethodDecl()->isConst();
      if (!touch(object->IgnoreImpCasts(), !is_const)) look(object);
      if (leads_elsewhere(f, object)) fail("what " + f->getNameAsString() + " leads to");
      return look_at_arguments(f, m->arguments());
    }
    const bool is_lambda =
        llvm::isa<clang::CXXMethodDecl>(f) && llvm::cast<clang::CXXMethodDecl>(f)->getParent()->isLambda();
    const bool is_pure = f->isConstexpr() && !llvm::isa<clang::CXXMethodDecl>(f);
    if (!is_in_std(f) && !is_pure && !is_lambda) return fail("function " + f->getNameAsString());
    if (is_lambda) {
      for (const clang::Expr* each : call->arguments()) look(each);
      if (!lambdas_.contains(llvm::cast<clang::CXXMethodDecl>(f)->getParent())) fail("a lambda from elsewhere");
      return;
    }
    const bool is_operator = llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(f);
    if (leads_elsewhere(f, is_operator ? call->getArg(0) : nullptr)) fail("what " + f->getNameAsString() + " leads to");
    if (!is_in_std(f)) {  // its body tells what it does with values; what it gets by reference is touched already
      for (const clang::Expr* each : call->arguments()) look(each);
      return look_into(f);
    }
    look_at_arguments(f, call->arguments());
  }

  template <class Arguments>
  void look_at_arguments(const clang::FunctionDecl* f, const Arguments& arguments) {
    look_at_given(f, arguments);
    for (const clang::Expr* each : arguments) look(each);
  }

  template <class Arguments>
  void look_at_given(const clang::FunctionDecl* f, const Arguments& arguments) {
    for (const clang::Expr* each : arguments) {
      const bool is_known = llvm::isa<clang::CXXDefaultArgExpr, clang::CXXStdInitializerListExpr>(each);
      if (!is_known && !is_plain_argument(each)) fail("what " + f->getNameAsString() + " is given");
    }
  }

  const effect_scope& scope_;
  effects found_;
  std::set<const clang::CXXRecordDecl*> lambdas_;  // whose bodies are looked at
  std::set<const clang::FunctionDecl*> insides_;  // that are looked at
};

}  // namespace

effects effects_of(const clang::Stmt* body, const effect_scope& scope) {
  effect_reader reader(scope);
  reader.look(body);
  return reader.take();
}

}  // namespace shoal::translate
