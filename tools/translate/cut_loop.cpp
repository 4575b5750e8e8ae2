#include "tools/translate/cut_loop.hpp"

#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <utility>

#include "tools/translate/known_functions.hpp"
#include "tools/translate/loop_variables.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;
using clang::Stmt;

void add_text(pieces& to, std::string text) {
  if (!text.empty()) to.push_back({piece::kind::text, std::move(text), none});
}
void add(pieces& to, pieces more) { to.insert(to.end(), more.begin(), more.end()); }

class cutter {
public:
  cutter(clang::ASTContext& context, const source_text& text, const loop_scope& scope, loop& into)
      : context_(context),
        text_(text),
        scope_(scope),
        into_(into),
        variables_(context, text, scope, into),
        reader_(context, text, scope, [this](const clang::ValueDecl* v) { return variables_.of(v); }) {}

  touches cut() {
    into_.text = statement(scope_.statement, none);
    settle_variables(reader_, into_);
    return {std::move(reader_.touches()), std::move(reader_.memories()), scope_.loops, scope_.is_vouched,
            variables_.declared_at()};
  }

private:
  // --- Text

  [[noreturn]] void refuse(const Stmt* at, const std::string& thing, const std::string& reason) const {
    throw loop_refusal{at->getBeginLoc(), thing, reason};
  }
  range range_of(const Stmt* s) const {
    const std::optional<range> r = text_.of(s->getSourceRange());
    if (!r.has_value()) refuse(s, "the loop", "a macro makes a part of it");
    return *r;
  }
  range statement_range(const Stmt* s) const {
    const std::optional<range> r = text_.of_statement(s);
    if (!r.has_value()) refuse(s, "the loop", "a macro makes a part of it");
    return *r;
  }

  struct site {
    range at;
    pieces text;
  };

  // An expression or declaration, with the names that it has.
  pieces code(const Stmt* s, range r, std::size_t segment) {
    std::vector<site> sites;
    find_sites(s, segment, sites);
    return joined(r, sites);
  }
  pieces joined(range r, std::vector<site>& sites) const {
    std::ranges::stable_sort(sites, {}, [](const site& x) { return x.at.begin; });
    pieces all;
    std::size_t at = r.begin;
    for (site& each : sites) {
      if (each.at.begin < at) continue;
      add_text(all, text_.text({at, each.at.begin}));
      add(all, std::move(each.text));
      at = each.at.end;
    }
    add_text(all, text_.text({at, r.end}));
    return all;
  }

  void find_sites(const Stmt* s, std::size_t segment, std::vector<site>& sites) {
    if (s == nullptr) return;
    if (const auto obtained = obtained_.find(s); obtained != obtained_.end()) {
      use(obtained->second, segment);
      sites.push_back({range_of(s), {{piece::kind::variable, {}, obtained->second}}});
      return;
    }
    if (const auto* c = llvm::dyn_cast<clang::CallExpr>(s); c != nullptr && reader_.is_own_pe(c)) {
      if (segment != none) into_.steps[segment].names_own_pe = true;
      sites.push_back({range_of(s), {{piece::kind::own_pe, text_.text(range_of(s)), none}}});
      return;
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* const v = llvm::dyn_cast<clang::ValueDecl>(name->getDecl());
      const auto* const variable_decl = llvm::dyn_cast<clang::VarDecl>(v);
      const bool is_local =
          (variable_decl != nullptr && variable_decl->isLocalVarDeclOrParm() && !variable_decl->isStaticLocal()) ||
          llvm::isa<clang::BindingDecl>(v);
      if (!is_local) return;
      const std::optional<range> at = text_.of_name(name->getLocation());
      if (!at.has_value()) refuse(s, v->getNameAsString(), "a macro names it");
      use(variables_.of(v), segment);
      sites.push_back({*at, {{piece::kind::variable, {}, variables_.of(v)}}});
      return;
    }
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
      for (const clang::Decl* each : d->decls()) {
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(each)) {
          declare(variables_.of(v), segment);
          if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(v)) {
            for (const clang::BindingDecl* b : parts->bindings()) declare(variables_.of(b), segment);
          }
          find_sites(v->getInit(), segment, sites);
        }
      }
      return;
    }
    for (const Stmt* each : s->children()) find_sites(each, segment, sites);
  }

  void use(std::size_t v, std::size_t segment) {
    if (segment != none && !llvm::is_contained(into_.steps[segment].uses, v)) into_.steps[segment].uses.push_back(v);
  }
  void declare(std::size_t v, std::size_t segment) {
    if (segment != none) into_.steps[segment].declares.push_back(v);
  }

  // --- Statements

  pieces statement(const Stmt* s, std::size_t segment) {
    const range r = statement_range(s);
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) return braces(block, segment);
    std::vector<site> sites;
    const auto part = [&](const Stmt* p) {  // that is evaluated in any case
      if (p == nullptr) return;
      if (pending_in(p) != nullptr) refuse(p, text_.text(range_of(p)), "whether the loop goes on depends on an answer");
      look(p, segment);
      find_sites(p, segment, sites);
    };
    const auto body = [&](const Stmt* b) {
      if (b == nullptr) return;
      const range at = statement_range(b);
      const touch_reader::conditional here(reader_);
      if (llvm::isa<clang::CompoundStmt>(b)) return sites.push_back({at, statement(b, segment)});
      const std::size_t n_before = into_.steps.size();
      pieces inner = statements({b}, at, segment);
      if (into_.steps.size() != n_before) {
        inner.insert(inner.begin(), {piece::kind::text, "{\n", none});
        inner.push_back({piece::kind::text, "\n}", none});
      }
      sites.push_back({at, std::move(inner)});
    };
    const auto turning_body = [&](const Stmt* b) {
      ++loops_in_text_;
      const bool is_tail = std::exchange(is_tail_, true);
      body(b);
      is_tail_ = is_tail;
      --loops_in_text_;
    };
    if (const auto* f = llvm::dyn_cast<clang::ForStmt>(s)) {
      part(f->getInit());
      part(f->getCond());
      if (f->getConditionVariable() != nullptr) refuse(s, "the loop", "its condition declares a variable");
      turning_body(f->getBody());
      const touch_reader::conditional later(reader_);
      part(f->getInc());
      if (f->getCond() != nullptr) look(f->getCond(), segment);  // of the next turn
    } else if (const auto* w = llvm::dyn_cast<clang::WhileStmt>(s)) {
      if (w->getConditionVariable() != nullptr) refuse(s, "the loop", "its condition declares a variable");
      part(w->getCond());
      turning_body(w->getBody());
      const touch_reader::conditional later(reader_);
      look(w->getCond(), segment);  // of the next turn
    } else if (const auto* d = llvm::dyn_cast<clang::DoStmt>(s)) {
      turning_body(d->getBody());
      part(d->getCond());
    } else if (const auto* e = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
      if (e->getInit() != nullptr) refuse(s, "the loop", "it has an initialiser");
      range_loop(e, segment, sites);
      turning_body(e->getBody());
    } else if (const auto* i = llvm::dyn_cast<clang::IfStmt>(s)) {
      if (i->getInit() != nullptr || i->getConditionVariable() != nullptr || i->isConstexpr())
        refuse(s, "the condition", "it declares a variable, or is constexpr");
      part(i->getCond());
      body(i->getThen());
      body(i->getElse());
    } else if (llvm::isa<clang::ContinueStmt>(s)) {
      return jump(s, segment, "continue;");
    } else if (llvm::isa<clang::BreakStmt>(s)) {
      return jump(s, segment, "break;");
    } else if (llvm::isa<Expr, clang::DeclStmt>(s)) {
      part(s);
    } else if (!llvm::isa<clang::NullStmt>(s)) {
      refuse(s, "a statement", "the translator does not know this kind");
    }
    return joined(r, sites);
  }

  void range_loop(const clang::CXXForRangeStmt* e, std::size_t segment, std::vector<site>& sites) {
    const clang::VarDecl* const v = e->getLoopVariable();
    const clang::QualType type = v->getType();
    if (type->isReferenceType() && !type->getPointeeType().isConstQualified())
      refuse(e, v->getNameAsString(), "it is a reference, and what is changed through it is not known");
    const Expr* const held = e->getRangeInit();
    // What it holds is read as its elements are.
    reader_.look_at_range(held, segment, type->isReferenceType());
    find_sites(held, segment, sites);
    reader_.look_at_result(v, held, segment);
    declare(variables_.of(v), segment);
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(v)) {
      for (const clang::BindingDecl* b : parts->bindings()) {
        reader_.look_at_result(b, held, segment);
        declare(variables_.of(b), segment);
      }
    }
  }

  pieces jump(const Stmt* s, std::size_t segment, const char* text) {
    if (loops_in_text_ == 0) {
      if (llvm::isa<clang::BreakStmt>(s)) refuse(s, "break", "whether the loop goes on depends on an answer");
      if (!rest_ends_turn_) refuse(s, "continue", "what follows in the loop would not wait for it");
      text = "return;";
    }
    if (segment == none && loops_in_text_ == 0) refuse(s, "continue", "it leaves the loop");
    return {{piece::kind::text, text, none}};
  }

  pieces braces(const clang::CompoundStmt* block, std::size_t segment) {
    const range r = range_of(block);
    pieces all;
    add_text(all, "{");
    add(all, statements({block->body_begin(), block->body_end()}, {r.begin + 1, r.end - 1}, segment));
    add_text(all, "}");
    return all;
  }

  // Statements of a block, up to the first that waits: what follows is its rest.
  pieces statements(std::vector<const Stmt*> all, range inside, std::size_t segment) {
    pieces made;
    std::size_t at = inside.begin;
    const bool is_tail = is_tail_;
    for (std::size_t i = 0; i < all.size(); ++i) {
      is_tail_ = is_tail && i + 1 == all.size();
      const Stmt* const s = all[i];
      const range r = statement_range(s);
      add_text(made, text_.text({at, r.begin}));
      at = r.end;
      if (is_received(s)) continue;
      const remote_access* const access = pending_in(own_part(s));
      if (access == nullptr) {
        add(made, statement(s, segment));
        continue;
      }
      remote_access a = *access;
      const bool is_whole = s == a.whole || (llvm::isa<Expr>(s) && llvm::cast<Expr>(s)->IgnoreImplicit() == a.whole);
      if (is_whole) a.has_result = false;  // nobody looks at it
      const std::size_t step = new_step(a, segment);
      made.push_back({piece::kind::send, {}, step});
      into_.steps[step].is_last = !is_whole || i + 1 == all.size();
      if (is_whole) {
        obtained_.emplace(a.whole, none);
        continue;
      }
      if (!a.has_result) refuse(s, text_.text(range_of(a.whole)), "its value is used");
      receive(a, s, step);
      const int loops_in_text = std::exchange(loops_in_text_, 0);
      const bool rest_ends_turn = std::exchange(rest_ends_turn_, is_tail);
      is_tail_ = is_tail;
      const touch_reader::certain from_here(reader_);
      pieces rest = statements({all.begin() + static_cast<std::ptrdiff_t>(i), all.end()}, {r.begin, inside.end}, step);
      loops_in_text_ = loops_in_text;
      rest_ends_turn_ = rest_ends_turn;
      is_tail_ = is_tail;
      into_.steps[step].rest = std::move(rest);
      into_.steps[step].has_rest = true;
      return made;
    }
    is_tail_ = is_tail;
    add_text(made, text_.text({at, inside.end}));
    return made;
  }

  // What of a statement is evaluated first, and in any case.
  static const Stmt* own_part(const Stmt* s) {
    if (const auto* i = llvm::dyn_cast<clang::IfStmt>(s)) return i->getCond();
    return llvm::isa<Expr, clang::DeclStmt>(s) ? s : nullptr;
  }

  // The first access in an expression that has not been made. Refuses what might not be evaluated.
  const remote_access* pending_in(const Stmt* s) {
    if (s == nullptr || obtained_.contains(s)) return nullptr;
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
      for (const clang::Decl* each : d->decls()) {
        const auto* const v = llvm::dyn_cast<clang::VarDecl>(each);
        if (v == nullptr || v->getInit() == nullptr) continue;
        if (const remote_access* found = pending_in(v->getInit())) {
          if (!d->isSingleDecl()) refuse(s, v->getNameAsString(), "declare it alone");
          return found;
        }
      }
      return nullptr;
    }
    if (llvm::isa<clang::LambdaExpr>(s)) return nullptr;
    for (const Stmt* each : s->children()) {
      const remote_access* const found = pending_in(each);
      if (found == nullptr) continue;
      const auto* const c = llvm::dyn_cast<clang::ConditionalOperator>(s);
      const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(s);
      const bool may_be_left_out = (c != nullptr && each != c->getCond()) ||
                                   (b != nullptr && b->isLogicalOp() && each != b->getLHS()) ||
                                   (b != nullptr && b->getOpcode() == clang::BO_Comma);
      if (may_be_left_out)
        refuse(found->whole, text_.text(range_of(found->whole)), "it may not be evaluated; use an if statement");
      return found;
    }
    const auto* const e = llvm::dyn_cast<Expr>(s);
    if (e == nullptr) return nullptr;
    remote_call found = remote_call_of(e, context_);
    if (!found.refusal.empty()) refuse(e, text_.text(range_of(e)), found.refusal);
    if (!found.access.has_value()) return nullptr;
    pending_ = std::move(*found.access);
    return &pending_;
  }

  // The variable that gets a step's answer: the one that the statement declares or assigns, or a new one.
  void receive(const remote_access& a, const Stmt* s, std::size_t step) {
    const clang::ValueDecl* into = nullptr;
    const auto is_answer = [&](const Expr* e) { return e != nullptr && e->IgnoreParenImpCasts() == a.whole; };
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
      const auto* const v = llvm::cast<clang::VarDecl>(d->getSingleDecl());
      if (v->isStaticLocal()) refuse(s, v->getNameAsString(), "it is static");
      if (is_answer(v->getInit()) && v->getType()->isArithmeticType()) into = v;
    }
    if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(s); b != nullptr && b->getOpcode() == clang::BO_Assign) {
      const clang::VarDecl* const v = variable_of(b->getLHS());
      if (v != nullptr && is_answer(b->getRHS()) && scope_.declared.contains(v) && !v->getType()->isReferenceType())
        into = v;
    }
    if (into != nullptr) {
      into_.steps[step].result = variables_.of(into);
      reader_.look_at_result(into, a.whole, step);
      received_.insert(s);
    } else {
      into_.steps[step].result = variables_.make("value", a.element, into_.steps[step].position);
    }
    const clang::QualType type = into == nullptr ? a.element : into->getType();
    into_.steps[step].is_result_element = context_.hasSameUnqualifiedType(type, a.element);
    obtained_.emplace(a.whole, into_.steps[step].result);
  }
  bool is_received(const Stmt* s) const { return received_.contains(s); }

  std::size_t new_step(const remote_access& a, std::size_t segment) {
    const std::size_t index = into_.steps.size();
    loop_step s;
    s.line = text_.line(a.whole->getExprLoc());
    s.position = text_.offset(a.whole->getBeginLoc());
    s.family = a.family;
    s.operation = a.operation;
    s.parent = segment;
    s.element = name_of(a.element, context_);
    s.element_bytes = static_cast<std::size_t>(context_.getTypeSizeInChars(a.element).getQuantity());
    s.element_alignment = static_cast<std::size_t>(context_.getTypeAlignInChars(a.element).getQuantity());
    set_object(a, s);
    const std::size_t n_before = reader_.touches().size();
    const auto argument = [&](const Expr* e) {
      if (e == nullptr) return pieces{};
      if (pending_in(e) != nullptr) refuse(e, text_.text(range_of(e)), "an answer is needed first; give it a variable");
      // Fields of a message are computed in another order.
      if (e->HasSideEffects(context_, false))
        refuse(e, text_.text(argument_range(e)), "it has side effects; give it a variable first");
      look(e, segment);
      return code(e, argument_range(e), segment);
    };
    s.index = argument(a.index);
    if (a.index != nullptr) {
      // Members of other classes have names of types that mean nothing here.
      clang::QualType type = a.index->IgnoreParenImpCasts()->getType();
      static const std::set<std::string> plain = {"size_t",   "std::size_t",   "int64_t", "std::int64_t",
                                                  "uint64_t", "std::uint64_t", "int32_t", "std::int32_t",
                                                  "uint32_t", "std::uint32_t"};
      if (!plain.contains(name_of(type, context_))) type = type.getCanonicalType();
      s.index_type = name_of(type, context_);
      s.index_bytes = static_cast<std::size_t>(context_.getTypeSizeInChars(type).getQuantity());
    }
    s.pe = argument(a.pe);
    s.is_pe_id =
        a.pe != nullptr && a.pe->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(clang::BuiltinType::Int);
    const auto is_known = [&](const Expr* e) {
      return e != nullptr && is_same_everywhere(e, context_) && !names_local(e);
    };
    s.value = argument(a.value);
    const auto is_int = [&](const Expr* e) {
      return e == nullptr || written_type(e)->isSpecificBuiltinType(clang::BuiltinType::Int);
    };
    s.is_known_int = is_int(a.value) && is_int(a.expected) && a.element->isSignedIntegerType() &&
                     context_.getTypeSize(a.element) >= 32;
    s.is_value_known = is_known(a.value);
    s.is_value_element = a.value != nullptr && context_.hasSameUnqualifiedType(written_type(a.value), a.element);
    s.expected = argument(a.expected);
    s.is_expected_element =
        a.expected != nullptr && context_.hasSameUnqualifiedType(written_type(a.expected), a.element);
    s.is_expected_known = is_known(a.expected);
    // Arguments are computed in an order that the language leaves open.
    const auto n_draws = std::ranges::count_if(reader_.touches().begin() + static_cast<std::ptrdiff_t>(n_before),
                                               reader_.touches().end(), &touch::draws);
    if (n_draws > 1)
      refuse(a.whole, text_.text(range_of(a.whole)), "it draws several random numbers; give them variables first");
    into_.steps.push_back(std::move(s));
    reader_.look_at_remote(a, index, segment);
    for (std::size_t i = n_before; i < reader_.touches().size(); ++i) reader_.touches()[i].argument_of = index;
    return index;
  }
  clang::QualType written_type(const Expr* e) const { return e->IgnoreParenImpCasts()->getType(); }

  range argument_range(const Expr* e) const {
    const std::optional<range> r = text_.of(written(e->IgnoreParenImpCasts()));
    if (r.has_value()) return *r;
    const std::optional<range> spelled = text_.of(e->IgnoreParenCasts()->getSourceRange());
    if (!spelled.has_value()) refuse(e, "the loop", "a macro makes a part of it");
    return *spelled;
  }

  // With the namespaces that the program names.
  std::string spelled_root(const Expr* object, const clang::VarDecl* root) const {
    const Expr* e = object->IgnoreParenImpCasts();
    while (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) e = m->getBase()->IgnoreParenImpCasts();
    const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenCasts());
    if (name == nullptr || !name->hasQualifier()) return root->getNameAsString();
    const std::optional<range> r = text_.of(name->getSourceRange());
    if (!r.has_value()) refuse(object, root->getNameAsString(), "a macro names it");
    return text_.text(*r);
  }

  void set_object(const remote_access& a, loop_step& s) {
    const Expr* object = a.object;
    const bool is_address = llvm::isa<clang::UnaryOperator>(object);
    if (is_address) object = llvm::cast<clang::UnaryOperator>(object)->getSubExpr()->IgnoreParenImpCasts();
    const touch_reader::named_array of = reader_.array_of(object);
    if (of.root == nullptr) refuse(a.whole, text_.text(range_of(object)), "the array has no name");
    if (scope_.declared.contains(of.root))
      refuse(a.whole, of.root->getNameAsString(), "each iteration has another array");
    if (const std::string why = reader_.not_symmetric(object, a.family); !why.empty())
      refuse(a.whole, text_.text(range_of(object)), why);
    const bool is_pointer = object->getType()->isPointerType();
    const bool is_scalar = is_address && !object->getType()->isArrayType();
    if (is_scalar && is_pointer) refuse(a.whole, text_.text(range_of(object)), "a pointer is no array");
    const bool is_local = of.root->isLocalVarDeclOrParm() && !of.root->isStaticLocal();
    if (is_local && is_scalar && !of.root->getType()->isPointerType())
      refuse(a.whole, of.root->getNameAsString(), "it is not symmetric");
    s.object = spelled_root(object, of.root);
    if (is_local) {
      s.object_variable = variables_.of(of.root);
      if (s.family == access_family::shmem || s.family == access_family::getput) {
        if (!of.root->getType()->isPointerType()) refuse(a.whole, s.object, "it is not symmetric");
      }
    }
    s.object += of.path;
    s.is_one_element = is_scalar && !is_pointer;
  }

  // Everything of an expression or declaration but accesses that are made.
  void look(const Stmt* s, std::size_t segment) {
    std::set<const Stmt*> skipped;
    for (const auto& [made, variable] : obtained_) skipped.insert(made);
    reader_.look(s, segment, skipped);
  }

  clang::ASTContext& context_;
  const source_text& text_;
  const loop_scope& scope_;
  loop& into_;
  loop_variables variables_;
  touch_reader reader_;
  std::map<const Stmt*, std::size_t> obtained_;
  std::set<const Stmt*> received_;
  remote_access pending_;
  int loops_in_text_ = 0;
  bool is_tail_ = false;  // with what is cut now, a turn of the loop around ends
  bool rest_ends_turn_ = false;  // the same of the rest that is cut now
};

}  // namespace

touches cut(clang::ASTContext& context, const source_text& text, const loop_scope& scope, loop& into) {
  return cutter(context, text, scope, into).cut();
}

}  // namespace shoal::translate
