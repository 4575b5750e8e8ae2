// What variables and arrays of a loop are: which memory they name, whether it is one on all PEs, and who else names it.
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "tools/translate/known_functions.hpp"
#include "tools/translate/loop_touches.hpp"
#include "tools/translate/private_variables.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

// spmat.h: the members of a matrix that hold the same elements.
std::string member_group(const std::string& name) {
  static const std::map<std::string, std::string> groups = {
      {"lnonzero", "nonzero"}, {"loffset", "offset"}, {"lvalue", "value"}, {"lperm", "perm"}};
  const auto found = groups.find(name);
  return found == groups.end() ? name : found->second;
}

// Whether it makes an array of numbers, which copies what it names.
bool is_list_of_numbers(const clang::InitListExpr* list) {
  const clang::InitListExpr* const made = list->isSemanticForm() ? list : list->getSemanticForm();
  const clang::ArrayType* const array = made == nullptr ? nullptr : made->getType()->getAsArrayTypeUnsafe();
  return array != nullptr && array->getElementType()->isArithmeticType();
}

}  // namespace

// Whether one of the members on the way is that of a union.
static bool has_union(const Expr* e) {
  e = plain(e);
  while (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* const field = llvm::dyn_cast<clang::FieldDecl>(m->getMemberDecl());
    if (field != nullptr && field->getParent()->isUnion()) return true;
    e = plain(m->getBase());
  }
  return false;
}

// A parameter of a function, whose local variables it cannot name; one of a lambda may name those around it.
static bool is_of_function(const clang::VarDecl* v) {
  const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(v->getDeclContext());
  return llvm::isa<clang::ParmVarDecl>(v) && (method == nullptr || !method->getParent()->isLambda());
}

// The variable that an expression is a part of, without a pointer between.
const clang::VarDecl* touch_reader::root_of(const Expr* e) {
  for (;;) {
    e = plain(e);
    if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e); m != nullptr && !m->isArrow()) {
      e = m->getBase();
    } else if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
               a != nullptr && plain(a->getBase())->getType()->isArrayType()) {
      e = a->getBase();
    } else if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
               o != nullptr && o->getOperator() == clang::OO_Subscript && is_container(o->getArg(0)->getType())) {
      e = o->getArg(0);
    } else {
      const clang::VarDecl* const v = variable_of(e);
      const bool has_parts =
          v != nullptr && (v->getType()->isRecordType() || v->getType()->isArrayType()) && !is_span(v->getType());
      return has_parts ? v : nullptr;
    }
  }
}

// A variable of the function, or memory behind a pointer or in a container.
bool touch_reader::find_place(const Expr* e, place& found) {
  e = e->IgnoreParens();
  if (const auto* c = llvm::dyn_cast<clang::ImplicitCastExpr>(e); c != nullptr && c->getCastKind() == clang::CK_NoOp)
    return find_place(c->getSubExpr(), found);
  found.is_real = e->getType()->isRealFloatingType();
  if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    find_element(a->getBase(), a->getIdx(), found);
    return true;
  }
  if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
      o != nullptr && o->getOperator() == clang::OO_Subscript) {
    const clang::QualType type = plain(o->getArg(0))->getType();
    if (!is_container(type) && !is_span(type)) return false;
    find_element(o->getArg(0), o->getArg(1), found);
    return true;
  }
  const auto in_memory = [&](const Expr* whole) {
    find_in_memory(whole, nullptr, found);
    return true;
  };
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e); u != nullptr && u->getOpcode() == clang::UO_Deref) {
    expression(u->getSubExpr());
    return in_memory(plain(u->getSubExpr()));
  }
  if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) {
    if (llvm::isa<clang::CXXThisExpr>(plain(m->getBase()))) {
      expression(m->getBase());
      return in_memory(m);
    }
    if (llvm::isa<clang::VarDecl>(m->getMemberDecl()))
      refuse(e, m->getMemberDecl()->getNameAsString(), "it is a static member; name it by its class");
    if (!llvm::isa<clang::FieldDecl>(m->getMemberDecl())) return false;
    if (m->isArrow()) {
      expression(m->getBase());
    } else {
      look_along(plain(m->getBase()));
      if (find_part(plain(m->getBase()), found)) return true;
    }
    return in_memory(m);
  }
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (name == nullptr) return false;
  const auto* const v = llvm::dyn_cast<clang::ValueDecl>(name->getDecl());
  if (!llvm::isa<clang::VarDecl, clang::BindingDecl>(v)) return false;
  if (llvm::isa<clang::BindingDecl>(v) && !scope_.declared.contains(v))
    refuse(e, v->getNameAsString(), "it is a part of another object; give it a variable");
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(v);
  const bool is_object = v->getType()->isReferenceType() || v->getType()->isRecordType() || v->getType()->isArrayType();
  if (variable != nullptr && variable->hasGlobalStorage()) {
    if (v->getType().isConstQualified() && variable->hasConstantInitialization()) return false;
    return in_memory(name);
  }
  if (v->getType()->isReferenceType() && v->getType()->getPointeeType()->isScalarType() &&
      !scope_.declared.contains(v) && variable != nullptr && !is_of_function(variable))
    refuse(e, v->getNameAsString(), "it is a reference to another variable; name that");
  if (!is_object && variable != nullptr && !scope_.declared.contains(variable) &&
      !variable->getType().isConstQualified() && has_other_names(variable, false))
    refuse(e, v->getNameAsString(), "its address is taken, or a reference names it");
  if (is_object && !scope_.declared.contains(v)) {
    variable_(v);
    return in_memory(name);
  }
  found.name = v->getNameAsString();
  found.index = variable_(v);
  return true;
}

// An element of an array, behind a pointer, or of a container or span. No index: the first.
void touch_reader::find_element(const Expr* base, const Expr* index, place& found) {
  const Expr* const array = plain(base);
  if (array->getType()->isArrayType() || is_container(array->getType())) {
    look_along(array);
  } else {
    expression(base);
  }
  if (!find_part(array, found)) return find_in_memory(array, index, found);
  if (index != nullptr) expression(index);
}

void touch_reader::find_in_memory(const Expr* base, const Expr* index, place& found) {
  found.is_memory = true;
  found.name = source(base);
  found.index = memory_of(base);
  if (index == nullptr) return;
  find_distinct(base, index, found);
  expression(index);
}

// A part of a variable that each iteration has for itself.
bool touch_reader::find_part(const Expr* whole, place& found) {
  const clang::VarDecl* const v = root_of(whole);
  if (v == nullptr || !scope_.declared.contains(v) || v->getType()->isReferenceType()) return false;
  found.name = v->getNameAsString();
  found.index = variable_(v);
  found.is_part = true;
  return true;
}

// Subscripts and pointers on the way to a place.
void touch_reader::look_along(const Expr* e) {
  e = plain(e);
  if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) {
    if (m->isArrow()) return expression(m->getBase());
    return look_along(m->getBase());
  }
  if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    expression(a->getIdx());
    return plain(a->getBase())->getType()->isArrayType() ? look_along(a->getBase()) : expression(a->getBase());
  }
  if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
      o != nullptr && o->getOperator() == clang::OO_Subscript) {
    expression(o->getArg(1));
    return is_container(o->getArg(0)->getType()) ? look_along(o->getArg(0)) : expression(o->getArg(0));
  }
  if (llvm::isa<clang::DeclRefExpr>(e)) return;
  expression(e);
}

std::string touch_reader::not_symmetric(const Expr* object, access_family family) const {
  if (family == access_family::world || family == access_family::array) return {};
  const named_array of = array_of(object);
  if (of.root == nullptr) return "the array has no name";
  if (of.path.empty()) return not_symmetric(of.root, family, 0);
  const clang::QualType type = of.root->getType();
  const std::string pointee = type->isPointerType() ? type->getPointeeType().getUnqualifiedType().getAsString() : "";
  if (pointee == "sparsemat_t" || pointee == "perm_t") return {};
  return "nothing says that it has one place on all PEs; give it a variable, from where it is allocated";
}

std::string touch_reader::not_symmetric(const clang::VarDecl* v, access_family family, int depth) const {
  const std::string why = v->getNameAsString() + ": nothing says that it has one place on all PEs";
  if (v->getType()->isReferenceType()) return why;
  if (v->getType()->isArrayType() || !v->getType()->isPointerType()) return v->hasGlobalStorage() ? "" : why;
  if (v->hasGlobalStorage()) return family == access_family::getput ? "" : why;
  if (depth > 6 || is_assigned_later(v)) return why;
  if (const auto* p = llvm::dyn_cast<clang::ParmVarDecl>(v)) {
    // An array of libgetput is named by its beginning.
    if (family == access_family::getput) return {};
    const auto* const f = llvm::dyn_cast<clang::FunctionDecl>(p->getDeclContext());
    if (f == nullptr || f->isExternallyVisible())
      return why + "; let the function be static, so that its calls can be seen";
    bool is_called = false;
    for (const reference& r : scope_.found->references) {
      const auto* const named = llvm::dyn_cast<clang::FunctionDecl>(r.name->getDecl());
      if (named == nullptr || named->getCanonicalDecl() != f->getCanonicalDecl()) continue;
      const clang::CallExpr* call = nullptr;
      for (auto at = r.around.rbegin(); at != r.around.rend() && call == nullptr; ++at) {
        call = llvm::dyn_cast<clang::CallExpr>(*at);
        if (!llvm::isa<clang::CastExpr, clang::ParenExpr, clang::CallExpr>(*at)) break;
      }
      if (call == nullptr || call->getCallee()->IgnoreParenImpCasts() != r.name) return why;
      const clang::VarDecl* const given = variable_of(call->getArg(p->getFunctionScopeIndex())->IgnoreParenCasts());
      if (given == nullptr || !not_symmetric(given, family, depth + 1).empty()) return why;
      is_called = true;
    }
    return is_called ? "" : why;
  }
  if (v->getInit() == nullptr) return why;
  const Expr* e = v->getInit()->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (const auto* c = llvm::dyn_cast<clang::CallExpr>(e))
    return c->getDirectCallee() != nullptr && allocates(c->getDirectCallee()) ? "" : why;
  if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(e); b != nullptr && b->isAdditiveOp()) {
    if (!b->getRHS()->isEvaluatable(context_)) return why;
    e = plain(b->getLHS());
  }
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e); u != nullptr && u->getOpcode() == clang::UO_AddrOf) {
    e = plain(u->getSubExpr());
    if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      if (!a->getIdx()->isEvaluatable(context_)) return why;
      e = plain(a->getBase());
    }
  }
  const clang::VarDecl* const of = variable_of(e->IgnoreParenCasts());
  return of == nullptr ? why : not_symmetric(of, family, depth + 1);
}

touch_reader::named_array touch_reader::array_of(const Expr* object) const {
  const Expr* e = object->IgnoreParenImpCasts();
  std::string members;
  while (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) {
    members = (m->isArrow() ? "->" : ".") + m->getMemberDecl()->getNameAsString() + members;
    e = plain(m->getBase());
  }
  return {variable_of(e), members};
}

std::size_t touch_reader::memory_of(const Expr* base) {
  memories_.push_back(describe(plain(base->IgnoreParenCasts())));
  return memories_.size() - 1;
}

memory touch_reader::describe(const Expr* base) const {
  const auto type_of = [&](clang::QualType type) {
    if (const clang::ArrayType* const a = type->getAsArrayTypeUnsafe()) type = a->getElementType();
    else if (type->isPointerType() || type->isReferenceType()) type = type->getPointeeType();
    else if (const auto* s = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
             s != nullptr && s->getTemplateArgs().size() != 0 &&
             s->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type)
      type = s->getTemplateArgs()[0].getAsType();
    type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
    // Signed and unsigned numbers may share memory; characters share that of all.
    if (!type->isScalarType() || type->isAnyCharacterType()) return std::string();
    if (type->isIntegerType() && !type->isEnumeralType())
      return "integer of " + std::to_string(context_.getTypeSize(type)) + " bits " +
             (context_.getTypeSize(type) == 8 ? ""
              : type->isSpecificBuiltinType(clang::BuiltinType::Long) ||
                      type->isSpecificBuiltinType(clang::BuiltinType::ULong)
                  ? "long"
                  : "");
    return type.getAsString();
  };
  if (const clang::VarDecl* const v = variable_of(base)) {
    memory m = describe(v);
    m.element = type_of(v->getType());
    return m;
  }
  memory m;
  m.element = type_of(base->getType());
  const named_array of = array_of(base);
  if (of.root != nullptr && !of.path.empty()) {
    const memory root = describe(of.root);
    const std::size_t last = of.path.find_last_of(".>");
    const std::string member = of.path.substr(last + 1);
    // Members of a union are one place, and so are p->a and o.a if p points to o.
    std::string way;
    for (const char c : of.path.substr(0, last + 1)) {
      if (c != '-') way += c == '>' ? '.' : c;
    }
    const bool is_in_union = has_union(base);
    m.is = root.is;
    m.is_from_here = root.is_from_here;
    m.is_restrict = root.is_restrict;
    const std::string type =
        of.root->getType()->isPointerType() ? of.root->getType()->getPointeeType().getAsString() : "";
    const bool is_matrix = type == "sparsemat_t" || type == "struct sparsemat_t" || type == "perm_t";
    m.identity = is_in_union ? root.identity : root.identity + way + (is_matrix ? member_group(member) : member);
    if (is_in_union) m.element.clear();
    // Two members of one object may point to the same.
    if (!is_matrix && base->getType()->isPointerType()) m.is = memory::kind::unknown;
    if (is_matrix) m.element += " " + member_group(member);
    return m;
  }
  m.identity = source(base);
  return m;
}

memory touch_reader::describe(const clang::VarDecl* v, int depth) const {
  memory m;
  m.identity = v->getNameAsString() + "@" + std::to_string(v->getLocation().getRawEncoding());
  const clang::QualType type = v->getType();
  const bool is_handle = is_span(type) || is_type(type, "shoal::symmetric");
  m.is_unshared =
      is_container(type) || (v->hasLocalStorage() && !type->isPointerType() && !type->isReferenceType() && !is_handle);
  if (!type->isPointerType() && !type->isReferenceType() && !is_handle) {
    m.is = memory::kind::object;
    m.is_from_here = v->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(v);
    return m;
  }
  if (llvm::isa<clang::ParmVarDecl>(v)) {
    // A lambda's may name what the function around declares.
    const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(v->getDeclContext());
    if (method != nullptr && method->getParent()->isLambda()) return m;
    m.is = is_assigned_later(v) ? memory::kind::unknown : memory::kind::parameter;
    m.is_restrict = type.isRestrictQualified();
    return m;
  }
  if (v->getInit() == nullptr || depth > 4 || is_assigned_later(v)) return m;
  const Expr* e = v->getInit()->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (const auto* c = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (c->getDirectCallee() != nullptr && allocates(c->getDirectCallee())) {
      static const std::set<std::string> unshared = {"malloc", "calloc"};
      m.is_unshared = unshared.contains(library_name(c->getDirectCallee()));
      m.is = memory::kind::object;
      m.is_from_here = v->hasLocalStorage();
    }
    const auto* const member = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
    if (member != nullptr && member->getMethodDecl()->getNameAsString() == "allocate" &&
        is_type(member->getImplicitObjectArgument()->IgnoreParenImpCasts()->getType(), "shoal::world")) {
      m.is = memory::kind::object;
      m.is_from_here = v->hasLocalStorage();
    }
    if (member != nullptr && member->getMethodDecl()->getNameAsString() == "data") {
      const clang::VarDecl* const of = variable_of(member->getImplicitObjectArgument());
      if (of != nullptr) return describe(of, depth + 1);
    }
    return m;
  }
  if (llvm::isa<clang::CXXNewExpr>(e)) {
    m.is_unshared = true;
    m.is = memory::kind::object;
    m.is_from_here = v->hasLocalStorage();
    return m;
  }
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e); u != nullptr && u->getOpcode() == clang::UO_AddrOf)
    e = plain(u->getSubExpr());
  if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) e = plain(a->getBase());
  if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(e); b != nullptr && b->isAdditiveOp())
    e = plain(b->getLHS());
  if (const clang::VarDecl* const of = variable_of(e)) return describe(of, depth + 1);
  return m;
}

// Whether anything but the variable's name may reach it: a use that neither reads nor changes it by name. One after the
// loop comes too late, unless a loop around comes back.
bool touch_reader::has_other_names(const clang::VarDecl* v, bool counts_later) const {
  return std::ranges::any_of(scope_.found->references, [&](const reference& r) {
    if (r.name->getDecl() != v || r.around.empty()) return false;
    if (!counts_later && !scope_.is_in_loop && position(r.name) > scope_.loops[0].end) return false;
    const clang::Stmt* inner = r.name;
    for (auto at = r.around.rbegin(); at != r.around.rend(); inner = *at++) {
      if (llvm::isa<clang::ParenExpr>(*at)) continue;
      if (const auto* c = llvm::dyn_cast<clang::CastExpr>(*at)) return c->getCastKind() != clang::CK_LValueToRValue;
      if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(*at)) return !u->isIncrementDecrementOp();
      if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(*at))
        return !(b->isAssignmentOp() && b->getLHS() == inner);
      if (const auto* l = llvm::dyn_cast<clang::InitListExpr>(*at)) return !is_list_of_numbers(l);
      return true;
    }
    return true;
  });
}

bool touch_reader::is_assigned_later(const clang::VarDecl* v) const {
  if (v->hasGlobalStorage()) return true;
  // In the loop's function, or in the one whose variable it is.
  const auto* const own = llvm::dyn_cast_or_null<clang::FunctionDecl>(v->getParentFunctionOrMethod());
  const auto changes_it = [&](const clang::FunctionDecl* f) {
    const clang::FunctionDecl* body = nullptr;
    return f != nullptr && f->getBody(body) != nullptr && is_changed_in(body->getBody(), v);
  };
  return changes_it(scope_.function) || changes_it(own) || (v->getType()->isPointerType() && has_other_names(v, true));
}

}  // namespace shoal::translate
