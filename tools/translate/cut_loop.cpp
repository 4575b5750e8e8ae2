#include "tools/translate/cut_loop.hpp"

#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <set>
#include <utility>

#include "tools/translate/cut_step.hpp"
#include "tools/translate/loop_code.hpp"
#include "tools/translate/loop_variables.hpp"
#include "tools/translate/moved_declarations.hpp"
#include "tools/translate/remote_range.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;
using clang::Stmt;

class cutter {
public:
  cutter(clang::ASTContext& context, const source_text& text, const loop_scope& scope, loop& into)
      : code_(context, text, scope, into) {}

  touches cut() {
    code_.into().text = statement(code_.scope().statement, none);
    settle_variables(code_.reader(), code_.into());
    return {std::move(code_.reader().touches()), std::move(code_.reader().memories()), code_.scope().loops,
            code_.scope().is_vouched, code_.variables().declared_at()};
  }

private:
  // --- Statements

  pieces statement(const Stmt* s, std::size_t segment) {
    const range r = code_.statement_range(s);
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) return braces(block, segment);
    std::vector<replaced_site> sites;
    const auto part = [&](const Stmt* p) {  // that is evaluated in any case
      if (p == nullptr) return;
      if (code_.pending_in(p) != nullptr)
        code_.refuse(p, code_.text().text(code_.range_of(p)), "whether the loop goes on depends on an answer");
      code_.look(p, segment);
      code_.find_sites(p, segment, sites);
    };
    const auto body = [&](const Stmt* b) {
      if (b == nullptr) return;
      const range at = code_.statement_range(b);
      const touch_reader::conditional here(code_.reader());
      if (llvm::isa<clang::CompoundStmt>(b)) return sites.push_back({at, statement(b, segment)});
      const std::size_t n_before = code_.into().steps.size();
      const bool opens_turn = std::exchange(opens_turn_, false);
      pieces inner = statements({b}, at, segment);
      if (code_.into().steps.size() != n_before) {
        if (opens_turn) inner.insert(inner.begin(), {piece::kind::turn, {}, none});
        inner.insert(inner.begin(), {piece::kind::text, "{\n", none});
        inner.push_back({piece::kind::text, "\n}", none});
      }
      sites.push_back({at, std::move(inner)});
    };
    const auto turning_body = [&](const Stmt* b) {
      ++loops_in_text_;
      opens_turn_ = code_.into().is_checked && s == code_.scope().statement;
      const bool is_tail = std::exchange(is_tail_, true);
      body(b);
      is_tail_ = is_tail;
      --loops_in_text_;
    };
    if (const auto* f = llvm::dyn_cast<clang::ForStmt>(s)) {
      part(f->getInit());
      part(f->getCond());
      if (f->getConditionVariable() != nullptr) code_.refuse(s, "the loop", "its condition declares a variable");
      turning_body(f->getBody());
      const touch_reader::conditional later(code_.reader());
      part(f->getInc());
      if (f->getCond() != nullptr) code_.look(f->getCond(), segment);  // of the next turn
    } else if (const auto* w = llvm::dyn_cast<clang::WhileStmt>(s)) {
      if (w->getConditionVariable() != nullptr) code_.refuse(s, "the loop", "its condition declares a variable");
      part(w->getCond());
      turning_body(w->getBody());
      const touch_reader::conditional later(code_.reader());
      code_.look(w->getCond(), segment);  // of the next turn
    } else if (const auto* d = llvm::dyn_cast<clang::DoStmt>(s)) {
      turning_body(d->getBody());
      part(d->getCond());
    } else if (const auto* e = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
      if (e->getInit() != nullptr) code_.refuse(s, "the loop", "it has an initialiser");
      range_loop(e, segment, sites);
      turning_body(e->getBody());
    } else if (const auto* i = llvm::dyn_cast<clang::IfStmt>(s)) {
      if (i->getInit() != nullptr || i->getConditionVariable() != nullptr || i->isConstexpr())
        code_.refuse(s, "the condition", "it declares a variable, or is constexpr");
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
      code_.refuse(s, "a statement", "the translator does not know this kind");
    }
    return code_.joined(r, sites);
  }

  void range_loop(const clang::CXXForRangeStmt* e, std::size_t segment, std::vector<replaced_site>& sites) {
    const clang::VarDecl* const v = e->getLoopVariable();
    const clang::QualType type = v->getType();
    if (type->isReferenceType() && !type->getPointeeType().isConstQualified())
      code_.refuse(e, v->getNameAsString(), "it is a reference, and what is changed through it is not known");
    const Expr* const held = e->getRangeInit();
    // What it holds is read as its elements are.
    code_.reader().look_at_range(held, segment, type->isReferenceType());
    code_.find_sites(held, segment, sites);
    code_.reader().look_at_result(v, held, segment);
    code_.declare(code_.variables().of(v), segment);
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(v)) {
      for (const clang::BindingDecl* b : parts->bindings()) {
        code_.reader().look_at_result(b, held, segment);
        code_.declare(code_.variables().of(b), segment);
      }
    }
  }

  pieces jump(const Stmt* s, std::size_t segment, const char* text) {
    if (loops_in_text_ == 0) {
      if (llvm::isa<clang::BreakStmt>(s)) code_.refuse(s, "break", "whether the loop goes on depends on an answer");
      if (!rest_ends_turn_) code_.refuse(s, "continue", "what follows in the loop would not wait for it");
      text = "return;";
    }
    if (segment == none && loops_in_text_ == 0) code_.refuse(s, "continue", "it leaves the loop");
    return {{piece::kind::text, text, none}};
  }

  pieces braces(const clang::CompoundStmt* block, std::size_t segment) {
    const range r = code_.range_of(block);
    pieces all;
    add_text(all, "{");
    if (std::exchange(opens_turn_, false)) all.push_back({piece::kind::turn, {}, none});
    add_pieces(all, statements({block->body_begin(), block->body_end()}, {r.begin + 1, r.end - 1}, segment));
    add_text(all, "}");
    return all;
  }

  // Statements of a block, up to the first that waits: what follows is its rest.
  pieces statements(std::vector<const Stmt*> all, range inside, std::size_t segment) {
    pieces made;
    std::size_t at = inside.begin;
    const bool is_tail = is_tail_;
    moved_.merge(declared_for_elements(all, code_.context()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      is_tail_ = is_tail && i + 1 == all.size();
      const Stmt* const s = all[i];
      const range r = code_.statement_range(s);
      const std::string before = code_.text().text({at, r.begin});
      at = r.end;
      const bool is_moved = moved_.contains(s);
      const bool is_blank = before.find_first_not_of(" \t\n") == std::string::npos;
      if (!is_moved || !is_blank) add_text(made, before);
      if (is_received(s) || is_moved) continue;
      const remote_access* const access = code_.pending_in(own_part(s));
      if (access == nullptr) {
        add_pieces(made, statement(s, segment));
        continue;
      }
      remote_access a = *access;
      const bool is_whole = s == a.whole || (llvm::isa<Expr>(s) && llvm::cast<Expr>(s)->IgnoreImplicit() == a.whole);
      if (is_whole) a.has_result = false;  // nobody looks at it
      const std::size_t step = add_step(code_, a, segment);
      made.push_back({piece::kind::send, {}, step});
      code_.into().steps[step].is_last = !is_whole || i + 1 == all.size() || reads_several(a);
      if (is_whole) code_.obtain(a.whole, none);
      if (is_whole && !reads_several(a)) continue;
      if (!is_whole && !a.has_result) code_.refuse(s, code_.text().text(code_.range_of(a.whole)), "its value is used");
      if (!is_whole) receive(a, s, step);
      const int loops_in_text = std::exchange(loops_in_text_, 0);
      const bool rest_ends_turn = std::exchange(rest_ends_turn_, is_tail);
      is_tail_ = is_tail;
      const touch_reader::certain from_here(code_.reader());
      pieces rest = reads_several(a) ? received_elements(a, step) : pieces{};
      const std::size_t first = is_whole ? i + 1 : i;
      add_pieces(rest, statements({all.begin() + static_cast<std::ptrdiff_t>(first), all.end()},
                                  {is_whole ? r.end : r.begin, inside.end}, step));
      loops_in_text_ = loops_in_text;
      rest_ends_turn_ = rest_ends_turn;
      is_tail_ = is_tail;
      code_.into().steps[step].rest = std::move(rest);
      code_.into().steps[step].has_rest = true;
      return made;
    }
    is_tail_ = is_tail;
    add_text(made, code_.text().text({at, inside.end}));
    return made;
  }

  // The begin of the rest of a step that reads several elements: what they are read into, if that is declared for them.
  pieces received_elements(const remote_access& a, std::size_t step) {
    pieces all;
    for (const auto& [declaration, access] : moved_) {
      if (access != a.whole) continue;
      add_pieces(all, statement(declaration, step));
      add_text(all, "\n");
    }
    add_pieces(all, receive_elements(code_, a, step));
    return all;
  }

  // What of a statement is evaluated first, and in any case.
  static const Stmt* own_part(const Stmt* s) {
    if (const auto* i = llvm::dyn_cast<clang::IfStmt>(s)) return i->getCond();
    return llvm::isa<Expr, clang::DeclStmt>(s) ? s : nullptr;
  }

  // The variable that gets a step's answer: the one that the statement declares or assigns, or a new one.
  void receive(const remote_access& a, const Stmt* s, std::size_t step) {
    const clang::ValueDecl* into = nullptr;
    const auto is_answer = [&](const Expr* e) { return e != nullptr && e->IgnoreParenImpCasts() == a.whole; };
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
      const auto* const v = llvm::cast<clang::VarDecl>(d->getSingleDecl());
      if (v->isStaticLocal()) code_.refuse(s, v->getNameAsString(), "it is static");
      if (is_answer(v->getInit()) && v->getType()->isArithmeticType()) into = v;
    }
    if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(s); b != nullptr && b->getOpcode() == clang::BO_Assign) {
      const clang::VarDecl* const v = variable_of(b->getLHS());
      if (v != nullptr && is_answer(b->getRHS()) && code_.scope().declared.contains(v) &&
          !v->getType()->isReferenceType())
        into = v;
    }
    if (into != nullptr) {
      code_.into().steps[step].result = code_.variables().of(into);
      code_.reader().look_at_result(into, a.whole, step);
      received_.insert(s);
    } else {
      code_.into().steps[step].result = code_.variables().make("value", a.element, code_.into().steps[step].position);
    }
    const clang::QualType type = into == nullptr ? a.element : into->getType();
    code_.into().steps[step].is_result_element = code_.context().hasSameUnqualifiedType(type, a.element);
    code_.obtain(a.whole, code_.into().steps[step].result);
  }
  bool is_received(const Stmt* s) const { return received_.contains(s); }

  loop_code code_;
  std::set<const Stmt*> received_;
  std::map<const Stmt*, const Expr*> moved_;  // declarations that go to the rest of an access
  bool opens_turn_ = false;  // the block that is cut next is a turn of a checked loop
  int loops_in_text_ = 0;
  bool is_tail_ = false;  // with what is cut now, a turn of the loop around ends
  bool rest_ends_turn_ = false;  // the same of the rest that is cut now
};

}  // namespace

touches cut(clang::ASTContext& context, const source_text& text, const loop_scope& scope, loop& into) {
  return cutter(context, text, scope, into).cut();
}

}  // namespace shoal::translate
