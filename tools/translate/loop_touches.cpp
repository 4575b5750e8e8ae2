#include "tools/translate/loop_touches.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <regex>

#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

const Expr* plain(const Expr* e) { return e->IgnoreParenImpCasts(); }

// Functions of libraries that touch nothing of the program but their arguments.
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
// They touch what no other code of a program does.
bool draws_numbers(const clang::FunctionDecl* f) {
  static const std::set<std::string> names = {"rand",    "random",         "drand48",
                                              "lrand48", "lgp_rand_int64", "lgp_rand_double"};
  return names.contains(f->getNameAsString());
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

// spmat.h: the members of a matrix that hold the same elements.
std::string member_group(const std::string& name) {
  static const std::map<std::string, std::string> groups = {
      {"lnonzero", "nonzero"}, {"loffset", "offset"}, {"lvalue", "value"}, {"lperm", "perm"}};
  const auto found = groups.find(name);
  return found == groups.end() ? name : found->second;
}

// Whether a function computes with what it is given, and nothing else.
class simple_finder : public clang::RecursiveASTVisitor<simple_finder> {
public:
  explicit simple_finder(std::set<const clang::FunctionDecl*>& asked) : asked_(asked) {}
  bool is_simple = true;

  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    const auto* const v = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
    if (v != nullptr && v->hasGlobalStorage() && !v->getType().isConstQualified()) return fail();
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
    return (f != nullptr && (is_pure(f) || is_simple_function(f, asked_))) || fail();
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) { return e->getConstructor()->isTrivial() || fail(); }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) { return fail(); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) { return fail(); }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr*) { return fail(); }
  bool VisitLambdaExpr(clang::LambdaExpr*) { return fail(); }
  bool VisitAsmStmt(clang::AsmStmt*) { return fail(); }
  bool VisitVarDecl(clang::VarDecl* v) { return v->hasLocalStorage() || fail(); }

  static bool is_simple_function(const clang::FunctionDecl* f) {
    std::set<const clang::FunctionDecl*> asked;
    return is_simple_function(f, asked);
  }

private:
  // What is asked already decides where it is asked.
  static bool is_simple_function(const clang::FunctionDecl* f, std::set<const clang::FunctionDecl*>& asked) {
    if (!asked.insert(f->getCanonicalDecl()).second) return true;
    const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
    if (method != nullptr && method->getParent()->isLambda()) return false;  // what it captures is not known
    const clang::FunctionDecl* body = nullptr;
    if (f->getBody(body) == nullptr) return false;
    for (const clang::ParmVarDecl* p : body->parameters()) {
      const clang::QualType type = p->getType();
      if (type->isPointerType() || (type->isReferenceType() && !type->getPointeeType().isConstQualified()))
        return false;
    }
    simple_finder finder(asked);
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
};

class write_finder : public clang::RecursiveASTVisitor<write_finder> {
public:
  explicit write_finder(const clang::VarDecl* of) : of_(of) {}
  bool is_found = false;
  bool VisitBinaryOperator(clang::BinaryOperator* e) { return !(e->isAssignmentOp() && names(e->getLHS())); }
  bool VisitUnaryOperator(clang::UnaryOperator* e) {
    const bool changes = e->isIncrementDecrementOp() || e->getOpcode() == clang::UO_AddrOf;
    return !(changes && names(e->getSubExpr()));
  }

private:
  bool names(const Expr* e) { return is_found = is_found || variable_of(e) == of_; }
  const clang::VarDecl* of_;
};

bool is_container(clang::QualType type) {
  const clang::CXXRecordDecl* const r = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (r == nullptr || !r->isInStdNamespace()) return false;
  const llvm::StringRef name = r->getName();
  return name == "vector" || name == "array";
}
bool is_span(clang::QualType type) { return is_type(type, "std::span"); }

}  // namespace

bool is_of_selectors(const std::string& name) {
  static const std::set<std::string> names = {
      "selector",     "send",       "process",        "close",   "closed",         "declare",        "mailboxes",
      "mailbox_at",   "mailbox_of", "boxes",          "box",     "selector_box",   "selector_boxes", "closures",
      "ask",          "ask_all",    "none",           "current", "only_message",   "message_at",     "position_of",
      "is_tag",       "names",      "message_of_tag", "n_named", "is_of_closures", "is_named",       "is_form",
      "send_closure", "done",       "pass_on",        "all",     "by_message",     "target_of",      "prefetch"};
  return names.contains(name);
}

void touch_reader::look(const clang::Stmt* s, std::size_t segment, const std::set<const clang::Stmt*>& skipped) {
  segment_ = segment;
  skipped_ = &skipped;
  top_ = s;
  if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) return declaration(d);
  if (const auto* e = llvm::dyn_cast<Expr>(s)) return expression(e);
  refuse(s, "a statement", "the translator does not know this kind");
}

void touch_reader::declaration(const clang::DeclStmt* d) {
  for (const clang::Decl* each : d->decls()) {
    const auto* const v = llvm::dyn_cast<clang::VarDecl>(each);
    if (v == nullptr) refuse(d, "a declaration", "only variables are declared in a loop that is translated");
    if (!v->hasLocalStorage()) refuse(d, v->getNameAsString(), "it is static");
    if (v->getType()->isReferenceType() && v->getInit() != nullptr) {
      refuse(d, v->getNameAsString(), "it is a reference; copy the value");
    }
    if (v->getInit() != nullptr) expression(v->getInit());
    touches_.push_back({});
    touch& t = touches_.back();
    t.is = touch::kind::write;
    t.name = v->getNameAsString();
    t.is_captured = true;
    t.is_certain = n_conditions_ == 0;
    t.memory = variable_(v);
    t.segment = segment_;
    t.position = position(d);
    t.line = text_.line(d->getBeginLoc());
  }
}

bool touch_reader::touch_place(const Expr* e, touch::kind how, const std::string& operation, bool gives_value) {
  place at;
  if (!find_place(e, at)) return false;
  touches_.push_back({});
  touch& t = touches_.back();
  t.is = how;
  t.name = at.name;
  t.memory = at.index;
  t.operation = operation;
  t.is_real = at.is_real;
  t.gives_value = gives_value;
  t.segment = segment_;
  t.distinct = at.distinct;
  t.counter = at.counter;
  if (at.is_part && how == touch::kind::write) t.is = touch::kind::update;  // the other parts stay
  if (at.is_part) t.operation.clear();
  t.is_captured = !at.is_memory;
  t.is_certain = n_conditions_ == 0;
  t.position = position(e);
  t.line = text_.line(e->getExprLoc());
  if (at.is_memory) need_origin();
  return true;
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
  const auto in_memory = [&](const Expr* base, const Expr* index) {
    found.is_memory = true;
    found.name = source(base);
    found.index = memory_of(base);
    if (index != nullptr) {
      find_distinct(base, index, found);
      expression(index);
    }
    return true;
  };
  // A part of a variable that each iteration has for itself.
  const auto in_part = [&](const Expr* whole) {
    const clang::VarDecl* const v = root_of(whole);
    if (v == nullptr || !scope_.declared.contains(v) || v->getType()->isReferenceType()) return false;
    found.name = v->getNameAsString();
    found.index = variable_(v);
    found.is_part = true;
    return true;
  };
  if (const auto* a = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const Expr* const base = plain(a->getBase());
    if (base->getType()->isArrayType()) {
      look_along(base);
    } else {
      expression(a->getBase());
    }
    if (in_part(base)) {
      expression(a->getIdx());
      return true;
    }
    return in_memory(base, a->getIdx());
  }
  if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
      o != nullptr && o->getOperator() == clang::OO_Subscript) {
    const Expr* const base = plain(o->getArg(0));
    if (!is_container(base->getType()) && !is_span(base->getType())) return false;
    if (is_container(base->getType())) {
      look_along(base);
    } else {
      expression(base);
    }
    if (in_part(base)) {
      expression(o->getArg(1));
      return true;
    }
    return in_memory(base, o->getArg(1));
  }
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e); u != nullptr && u->getOpcode() == clang::UO_Deref) {
    expression(u->getSubExpr());
    return in_memory(plain(u->getSubExpr()), nullptr);
  }
  if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) {
    if (llvm::isa<clang::CXXThisExpr>(plain(m->getBase()))) {
      expression(m->getBase());
      return in_memory(m, nullptr);
    }
    if (!llvm::isa<clang::FieldDecl>(m->getMemberDecl())) return false;
    if (m->isArrow()) {
      expression(m->getBase());
    } else {
      look_along(plain(m->getBase()));
      if (in_part(plain(m->getBase()))) return true;
    }
    return in_memory(m, nullptr);
  }
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (name == nullptr) return false;
  const auto* const v = llvm::dyn_cast<clang::ValueDecl>(name->getDecl());
  if (!llvm::isa<clang::VarDecl, clang::BindingDecl>(v)) return false;
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(v);
  const bool is_object = v->getType()->isReferenceType() || v->getType()->isRecordType() || v->getType()->isArrayType();
  if (variable != nullptr && variable->hasGlobalStorage()) {
    if (v->getType().isConstQualified() && variable->hasConstantInitialization()) return false;
    return in_memory(name, nullptr);
  }
  if (v->getType()->isReferenceType() && v->getType()->getPointeeType()->isScalarType() &&
      !scope_.declared.contains(v) && variable != nullptr && !llvm::isa<clang::ParmVarDecl>(variable))
    refuse(e, v->getNameAsString(), "it is a reference to another variable; name that");
  if (!is_object && variable != nullptr && has_other_names(variable))
    refuse(e, v->getNameAsString(), "its address is taken, or a reference names it");
  if (is_object && !scope_.declared.contains(v)) {
    variable_(v);
    return in_memory(name, nullptr);
  }
  found.name = v->getNameAsString();
  found.index = variable_(v);
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

// A subscript that each turn of a loop has for itself: its counter, or that and a constant.
void touch_reader::find_distinct(const Expr* base, const Expr* index, place& found) const {
  // Of one array, at one place.
  const clang::VarDecl* const array = variable_of(base);
  if (array == nullptr || (array->getType()->isPointerType() && is_assigned_later(array))) return;
  for (std::size_t i = 0; i < scope_.counters.size(); ++i) {
    const clang::ValueDecl* const counter = scope_.counters[i];
    if (counter == nullptr) continue;
    // Casts to what holds every number of the counter.
    const auto uncast = [&](const Expr* x) {
      for (;;) {
        x = x->IgnoreParens();
        const auto* const c = llvm::dyn_cast<clang::CastExpr>(x);
        const bool keeps = c != nullptr && c->getType()->isIntegerType() && !c->getType()->isBooleanType() &&
                           context_.getTypeSize(c->getType()) >= context_.getTypeSize(counter->getType());
        if (!keeps) return x;
        x = c->getSubExpr();
      }
    };
    const auto is_counter = [&](const Expr* x) {
      const auto* const n = llvm::dyn_cast<clang::DeclRefExpr>(uncast(x));
      return n != nullptr && n->getDecl() == counter;
    };
    const Expr* const e = uncast(index);
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(e);
    const bool is_moved = b != nullptr && (b->getOpcode() == clang::BO_Add || b->getOpcode() == clang::BO_Sub) &&
                          is_counter(b->getLHS()) && b->getRHS()->isEvaluatable(context_);
    if (!is_counter(e) && !is_moved) continue;
    found.distinct = source(e);
    found.counter = i;
  }
}

void touch_reader::expression(const Expr* e) {
  if (skipped_->contains(e)) return;
  if (e->isTypeDependent()) refuse(e, source(e), "it is in a template");
  if (const auto* c = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
    if (c->getCastKind() == clang::CK_LValueToRValue && touch_place(c->getSubExpr(), touch::kind::read)) return;
    if (c->getCastKind() == clang::CK_ArrayToPointerDecay) return;  // its elements are read where it has a subscript
    return expression(c->getSubExpr());
  }
  if (const auto* p = llvm::dyn_cast<clang::ParenExpr>(e)) return expression(p->getSubExpr());
  if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(e); b != nullptr && b->isAssignmentOp()) {
    expression(b->getRHS());
    std::string operation = clang::BinaryOperator::getOpcodeStr(b->getOpcode()).str();
    const bool is_update = b->isCompoundAssignmentOp();
    if (is_update) operation.pop_back();
    if (operation == "-") operation = "+";
    static const std::set<std::string> commuting = {"+", "*", "&", "|", "^"};
    const bool is_of_bits = operation == "&" || operation == "|";
    const auto* const compound = llvm::dyn_cast<clang::CompoundAssignOperator>(b);
    const bool is_number = compound != nullptr && b->getLHS()->getType()->isIntegerType() &&
                           compound->getComputationResultType()->isIntegerType() &&
                           (is_of_bits || !b->getLHS()->getType()->isBooleanType());
    const bool is_real = compound != nullptr && b->getLHS()->getType()->isRealFloatingType();
    if (!commuting.contains(operation) || !(is_number || is_real)) operation.clear();
    if (!touch_place(b->getLHS(), is_update ? touch::kind::update : touch::kind::write, operation, b != top_))
      refuse(e, source(b->getLHS()), "nothing is known of what is assigned");
    return;
  }
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e); u != nullptr && u->isIncrementDecrementOp()) {
    const bool is_statement = u == top_;
    if (!touch_place(u->getSubExpr(), touch::kind::update, "+", !is_statement))
      refuse(e, source(u->getSubExpr()), "nothing is known of what is changed");
    return;
  }
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e); u != nullptr && u->getOpcode() == clang::UO_AddrOf)
    refuse(e, source(u->getSubExpr()), "its address is taken");
  if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e); o != nullptr) {
    // An element of a container that is bound or assigned where nothing else tells what happens to it.
    place ignored;
    if (o->getOperator() == clang::OO_Subscript && find_place(o, ignored)) {
      touch_place(o, touch::kind::read);
      return;
    }
  }
  if (const auto* c = llvm::dyn_cast<clang::CallExpr>(e)) return call(c);
  if (llvm::isa<clang::CXXThisExpr>(e)) {
    if (segment_ != none) refuse(e, "this", "what waits for an answer names a member of the object");
    return;
  }
  if (llvm::isa<clang::LambdaExpr>(e)) refuse(e, "a lambda", "lambdas in the loop are not translated");
  if (llvm::isa<clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::CoawaitExpr, clang::StmtExpr>(e))
    refuse(e, source(e), "the translator does not know this kind of expression");
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    const bool is_quiet =
        made->getConstructor()->isTrivial() || is_container(made->getType()) || is_span(made->getType());
    if (!is_quiet) refuse(e, source(e), "nothing is known of this constructor");
    if (made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor()) {
      if (touch_place(made->getArg(0), touch::kind::read)) return;
    }
  }
  if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) {
    if (touch_place(m, touch::kind::read)) return;
  }
  if (llvm::isa<clang::DeclRefExpr>(e)) {
    touch_place(e, touch::kind::read);
    return;
  }
  const auto* const logical = llvm::dyn_cast<clang::BinaryOperator>(e);
  std::optional<conditional> maybe;
  if (llvm::isa<clang::AbstractConditionalOperator>(e) || (logical != nullptr && logical->isLogicalOp()))
    maybe.emplace(*this);
  for (const clang::Stmt* each : e->children()) {
    if (each == nullptr) continue;
    const auto* const part = llvm::dyn_cast<Expr>(each);
    if (part == nullptr) refuse(e, source(e), "the translator does not know this kind of expression");
    expression(part);
  }
}

void touch_reader::call(const clang::CallExpr* c) {
  const clang::FunctionDecl* const f = c->getDirectCallee();
  if (f == nullptr) refuse(c, source(c), "nothing is known of what it calls");
  const auto* const named = llvm::dyn_cast<clang::DeclRefExpr>(c->getCallee()->IgnoreParenImpCasts());
  if (segment_ != none && named != nullptr && !named->hasQualifier() && !llvm::isa<clang::CXXOperatorCallExpr>(c) &&
      is_of_selectors(f->getNameAsString()))
    refuse(c, f->getNameAsString(), "a selector has something else of this name; qualify it");
  const auto look_at_arguments = [&] {
    for (const Expr* each : c->arguments()) {
      if (!touch_place(each, touch::kind::read)) expression(each);
    }
  };
  if (is_pure(f)) return look_at_arguments();
  if (tells_own_pe(f)) return need_origin();
  if (draws_numbers(f)) {
    look_at_arguments();
    need_origin();
    touch t;
    t.is = touch::kind::update;
    t.name = f->getNameAsString();
    t.gives_value = true;
    t.segment = segment_;
    t.position = position(c);
    t.line = text_.line(c->getBeginLoc());
    memory state;
    state.is = memory::kind::object;
    state.identity = "random numbers";
    memories_.push_back(state);
    t.memory = memories_.size() - 1;
    touches_.push_back(t);
    return;
  }
  if (const auto* m = llvm::dyn_cast<clang::CXXMemberCallExpr>(c)) {
    const Expr* const object = m->getImplicitObjectArgument();
    const std::string name = f->getNameAsString();
    if (is_type(object->getType(), "shoal::world")) {
      if (name == "n_pes") return;
      if (name == "my_pe") return need_origin();
    }
    static const std::set<std::string> asks = {"size", "empty", "data", "front", "back"};
    if ((is_container(object->getType()) || is_span(object->getType())) && asks.contains(name)) {
      if (!touch_place(object, touch::kind::read)) expression(object);
      return;
    }
    if (is_container(object->getType()) && (name == "push_back" || name == "pop_back" || name == "clear")) {
      for (const Expr* each : m->arguments()) expression(each);
      if (touch_place(object, touch::kind::write)) return;
    }
    if (m->getMethodDecl()->isConst() && simple_finder::is_simple_function(f)) {
      if (!touch_place(object, touch::kind::read)) expression(object);
      for (const Expr* each : m->arguments()) {
        if (!touch_place(each, touch::kind::read)) expression(each);
      }
      return;
    }
  } else if (simple_finder::is_simple_function(f)) {
    return look_at_arguments();
  }
  refuse(c, f->getNameAsString(), "nothing is known of what this function touches");
}

void touch_reader::look_at_remote(const remote_access& a, std::size_t step, std::size_t segment) {
  using enum remote_operation;
  static const std::map<remote_operation, std::string> operations = {
      {add, "+"},     {increment, "+"}, {bit_and, "&"},        {bit_or, "|"},
      {bit_xor, "^"}, {swap, "swap"},   {compare_swap, "swap"}};
  touch t;
  t.is = a.operation == get ? touch::kind::read : a.operation == put ? touch::kind::write : touch::kind::update;
  t.name = source(a.object);
  t.is_remote = true;
  const auto found = operations.find(a.operation);
  if (found != operations.end()) t.operation = found->second;
  t.is_real = a.element->isRealFloatingType();
  t.gives_value = t.is == touch::kind::update && (a.has_result || t.operation == "swap");
  t.step = step;
  t.segment = segment;
  t.family = a.family;
  t.position = position(a.whole);
  t.line = text_.line(a.whole->getExprLoc());
  const Expr* base = a.object;
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(base)) base = plain(u->getSubExpr());
  t.memory = memory_of(base);
  touches_.push_back(t);
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

void touch_reader::look_at_range(const Expr* held, std::size_t segment, bool is_referred_to) {
  static const std::set<const clang::Stmt*> nothing;
  segment_ = segment;
  skipped_ = &nothing;
  const Expr* const e = plain(held);
  if (!is_container(e->getType()) && !is_span(e->getType()) && !e->getType()->isArrayType())
    refuse(held, source(held), "nothing is known of what this range holds");
  place ignored;
  if (!find_place(e, ignored)) expression(e);
  touch t;
  t.name = source(e);
  t.is_remote = is_referred_to;  // as late as a read that travels
  t.memory = memory_of(e);
  t.segment = segment;
  t.position = position(e);
  t.line = text_.line(e->getExprLoc());
  touches_.push_back(t);
  need_origin();
}

void touch_reader::look_at_result(const clang::ValueDecl* v, const Expr* at, std::size_t segment) {
  touch t;
  t.is = touch::kind::write;
  t.name = v->getNameAsString();
  t.memory = variable_(v);
  t.is_captured = true;
  t.segment = segment;
  t.position = position(at);
  t.line = text_.line(at->getBeginLoc());
  touches_.push_back(t);
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
    m.is = root.is;
    m.is_from_here = root.is_from_here;
    m.is_restrict = root.is_restrict;
    const std::string type =
        of.root->getType()->isPointerType() ? of.root->getType()->getPointeeType().getAsString() : "";
    const bool is_matrix = type == "sparsemat_t" || type == "struct sparsemat_t" || type == "perm_t";
    m.identity = root.identity + of.path.substr(0, last + 1) + (is_matrix ? member_group(member) : member);
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
    m.is = is_assigned_later(v) ? memory::kind::unknown : memory::kind::parameter;
    m.is_restrict = type.isRestrictQualified();
    return m;
  }
  if (v->getInit() == nullptr || depth > 4 || is_assigned_later(v)) return m;
  const Expr* e = v->getInit()->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (const auto* c = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (c->getDirectCallee() != nullptr && allocates(c->getDirectCallee())) {
      static const std::set<std::string> unshared = {"malloc", "calloc"};
      m.is_unshared = unshared.contains(c->getDirectCallee()->getNameAsString());
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

bool touch_reader::has_other_names(const clang::VarDecl* v) const {
  return std::ranges::any_of(scope_.found->references, [&](const reference& r) {
    if (r.name->getDecl() != v || r.around.empty()) return false;
    for (auto at = r.around.rbegin(); at != r.around.rend(); ++at) {
      if (llvm::isa<clang::ParenExpr>(*at)) continue;
      if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(*at)) return u->getOpcode() == clang::UO_AddrOf;
      const auto* const d = llvm::dyn_cast<clang::DeclStmt>(*at);
      return d != nullptr && std::ranges::any_of(d->decls(), [](const clang::Decl* each) {
               const auto* const named = llvm::dyn_cast<clang::VarDecl>(each);
               return named != nullptr && named->getType()->isReferenceType();
             });
    }
    return false;
  });
}

bool touch_reader::is_assigned_later(const clang::VarDecl* v) const {
  if (v->hasGlobalStorage()) return true;
  write_finder finder(v);
  if (scope_.function != nullptr && scope_.function->hasBody()) finder.TraverseStmt(scope_.function->getBody());
  return finder.is_found;
}

void touch_reader::refuse(const clang::Stmt* at, const std::string& thing, const std::string& reason) const {
  throw loop_refusal{at->getBeginLoc(), thing, reason};
}

std::string touch_reader::source(const clang::Stmt* s) const {
  const auto& sources = context_.getSourceManager();
  const std::optional<range> r = text_.of(s->getSourceRange());
  if (r.has_value()) return text_.text(*r);
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(s->getSourceRange()), sources,
                                     context_.getLangOpts())
      .str();
}

std::size_t touch_reader::position(const clang::Stmt* s) const {
  const auto& sources = context_.getSourceManager();
  return sources.getFileOffset(sources.getFileLoc(s->getBeginLoc()));
}

}  // namespace shoal::translate
