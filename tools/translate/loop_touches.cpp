#include "tools/translate/loop_touches.hpp"

#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <utility>

#include "tools/translate/known_functions.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

}  // namespace

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
    if (v->getType()->isVariablyModifiedType()) refuse(d, v->getNameAsString(), "its size is no constant");
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
  add_touch(at, e, how, operation, gives_value);
  return true;
}

void touch_reader::add_touch(const place& at, const Expr* e, touch::kind how, const std::string& operation,
                             bool gives_value) {
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
  // What a default initialiser names is written elsewhere.
  const range& whole = scope_.loops[0];
  if (top_ != nullptr && (t.position < whole.begin || t.position >= whole.end)) t.position = position(top_);
  t.line = text_.line(e->getExprLoc());
  if (at.is_memory) need_origin();
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
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) return unwritten(given->getExpr());
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(e)) return unwritten(given->getExpr());
  if (llvm::isa<clang::LambdaExpr>(e)) refuse(e, "a lambda", "lambdas in the loop are not translated");
  if (llvm::isa<clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::CoawaitExpr, clang::StmtExpr>(e))
    refuse(e, source(e), "the translator does not know this kind of expression");
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    const bool is_quiet =
        made->getConstructor()->isTrivial() || is_container(made->getType()) || is_span(made->getType());
    if (!is_quiet) refuse(e, source(e), "nothing is known of this constructor");
    if (is_container(made->getType())) {  // what it allocates with touches nothing
      for (const Expr* each : made->arguments()) {
        if (!llvm::isa<clang::CXXDefaultArgExpr>(each) && !touch_place(each, touch::kind::read)) expression(each);
      }
      return;
    }
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

// What the program says elsewhere, where nothing can take its place.
void touch_reader::unwritten(const Expr* e) {
  const bool outer = std::exchange(is_unwritten_, true);
  expression(e);
  is_unwritten_ = outer;
}

bool touch_reader::is_own_pe(const clang::CallExpr* c) const {
  const clang::FunctionDecl* const f = c->getDirectCallee();
  return f != nullptr && tells_own_pe(f) && text_.of(c->getSourceRange()).has_value();
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
  if (is_own_pe(c) && !is_unwritten_) return;
  if (tells_own_pe(f)) return need_origin();
  if (draws_numbers(f)) {
    look_at_arguments();
    need_origin();
    touch t;
    t.is = touch::kind::update;
    t.draws = true;
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
    if (m->getMethodDecl()->isConst() && is_simple(f)) {
      if (!touch_place(object, touch::kind::read)) expression(object);
      for (const Expr* each : m->arguments()) {
        if (!touch_place(each, touch::kind::read)) expression(each);
      }
      return;
    }
  } else if (bool tells_pe = false; is_simple(f, &tells_pe)) {
    if (tells_pe) need_origin();
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

std::size_t touch_reader::position(const clang::Stmt* s) const { return text_.offset(s->getBeginLoc()); }

}  // namespace shoal::translate
