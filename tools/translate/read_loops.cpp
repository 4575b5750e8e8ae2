#include "tools/translate/read_loops.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tools/translate/cut_loop.hpp"
#include "tools/translate/dependences.hpp"
#include "tools/translate/known_functions.hpp"
#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;
using clang::Stmt;

bool is_loop(const Stmt* s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

const Stmt* body_of(const Stmt* s) {
  if (const auto* f = llvm::dyn_cast<clang::ForStmt>(s)) return f->getBody();
  if (const auto* w = llvm::dyn_cast<clang::WhileStmt>(s)) return w->getBody();
  if (const auto* d = llvm::dyn_cast<clang::DoStmt>(s)) return d->getBody();
  if (const auto* r = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) return r->getBody();
  return nullptr;
}

// What a statement holds that matters to the question whether it is a loop of single accesses.
class content_finder : public clang::RecursiveASTVisitor<content_finder> {
public:
  explicit content_finder(const clang::ASTContext& context) : context_(context) {}
  bool has_access = false;
  bool has_refused = false;  // access of a kind that is not translated
  bool waits = false;
  bool is_collective = false;
  const Stmt* escape = nullptr;

  bool shouldVisitImplicitCode() const { return false; }
  bool VisitExpr(Expr* e) {
    const remote_call found = remote_call_of(e, context_);
    has_access |= found.access.has_value();
    has_refused |= !found.refusal.empty();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* c) {
    waits |= waits_for_others(c);
    is_collective |= is_collective_call(c);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* s) { return leave(s); }
  bool VisitGotoStmt(clang::GotoStmt* s) { return leave(s); }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* s) { return leave(s); }
  bool VisitLabelStmt(clang::LabelStmt* s) { return leave(s); }
  bool VisitCoreturnStmt(clang::CoreturnStmt* s) { return leave(s); }

private:
  bool leave(const Stmt* s) {
    if (escape == nullptr) escape = s;
    return true;
  }
  const clang::ASTContext& context_;
};

// Calls that may put something: all but those of the standard library, and those that tell numbers of PEs.
class call_finder : public clang::RecursiveASTVisitor<call_finder> {
public:
  bool has_call = false;
  bool VisitCallExpr(clang::CallExpr* c) {
    const clang::FunctionDecl* const f = c->getDirectCallee();
    static const std::set<std::string> names = {"shmem_my_pe", "shmem_n_pes", "my_pe", "n_pes"};
    const auto* const member = llvm::dyn_cast<clang::CXXMemberCallExpr>(c);
    const auto* const operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(c);
    const Expr* const object = member != nullptr      ? member->getImplicitObjectArgument()
                               : operation != nullptr ? operation->getArg(0)
                                                      : nullptr;
    const bool is_of_container = object != nullptr && (is_container(object->getType()) || is_span(object->getType()));
    const bool is_harmless = f != nullptr && (is_of_container || is_pure(f) || names.contains(f->getNameAsString()));
    return is_harmless || !(has_call = true);
  }
};

struct candidate {
  const Stmt* statement;
  path around;
  const clang::FunctionDecl* function;
};

// The outermost loops that wait for nothing but their accesses.
class loop_finder : public clang::RecursiveASTVisitor<loop_finder> {
  using base = clang::RecursiveASTVisitor<loop_finder>;

public:
  explicit loop_finder(clang::ASTContext& context) : context_(context) {}
  std::vector<candidate> candidates;

  bool TraverseDecl(clang::Decl* d) {
    if (d == nullptr) return true;
    const auto& sources = context_.getSourceManager();
    if (function_ == nullptr && !llvm::isa<clang::TranslationUnitDecl>(d) &&
        !sources.isInMainFile(sources.getExpansionLoc(d->getLocation())))
      return true;
    const auto* const f = llvm::dyn_cast<clang::FunctionDecl>(d);
    if (f == nullptr) return base::TraverseDecl(d);
    path around;
    around.swap(path_);
    const clang::FunctionDecl* const outer = std::exchange(function_, f);
    const bool goes_on = base::TraverseDecl(d);
    function_ = outer;
    path_.swap(around);
    return goes_on;
  }
  bool TraverseStmt(Stmt* s) {
    if (s == nullptr) return true;
    if (is_loop(s) && function_ != nullptr) {
      content_finder content(context_);
      content.TraverseStmt(s);
      if (!content.has_access && !content.has_refused) return true;
      if (!content.waits) {
        candidates.push_back({s, path_, function_});
        return true;
      }
    }
    path_.push_back(s);
    const bool goes_on = base::TraverseStmt(s);
    path_.pop_back();
    return goes_on;
  }

private:
  clang::ASTContext& context_;
  const clang::FunctionDecl* function_ = nullptr;
  path path_;
};

// Declarations and loops within a loop, and the variables that it names.
class inner_finder : public clang::RecursiveASTVisitor<inner_finder> {
public:
  std::set<const clang::Decl*> declared;
  std::vector<const Stmt*> loops;
  bool VisitVarDecl(clang::VarDecl* v) {
    declared.insert(v);
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(v))
      declared.insert(parts->bindings().begin(), parts->bindings().end());
    return true;
  }
  bool VisitStmt(Stmt* s) {
    if (is_loop(s)) loops.push_back(s);
    return true;
  }
};

class declaration_finder : public clang::RecursiveASTVisitor<declaration_finder> {
public:
  std::vector<const clang::DeclStmt*> found;
  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    for (const Stmt* each : block->body()) {
      if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(each)) found.push_back(d);
    }
    return true;
  }
};

class reader {
public:
  reader(clang::ASTContext& context, const source_text& text, const findings& found,
         const std::vector<std::size_t>& pragmas, program& into)
      : context_(context), text_(text), found_(found), pragmas_(pragmas), into_(into) {}

  source_loops take() {
    loop_finder finder(context_);
    finder.TraverseDecl(context_.getTranslationUnitDecl());
    std::vector<loop> all;
    for (const candidate& each : finder.candidates) {
      try {
        all.push_back(read(each));
      } catch (const loop_refusal& r) {
        std::string thing = r.thing;
        std::replace(thing.begin(), thing.end(), '\n', ' ');
        into_.refusals.push_back({text_.line(r.at), text_.column(r.at), thing, r.reason});
      }
    }
    for (const std::size_t p : pragmas_) {
      if (!used_pragmas_.contains(p))
        into_.refusals.push_back({text_.line(location(p)), text_.column(location(p)), "#pragma shoal independent",
                                  "no loop over one-sided access follows"});
    }
    return {std::move(all), declarations()};
  }

private:
  [[noreturn]] void refuse(const Stmt* at, const std::string& thing, const std::string& reason) const {
    throw loop_refusal{at->getBeginLoc(), thing, reason};
  }

  std::size_t position(clang::SourceLocation at) const {
    const auto& sources = context_.getSourceManager();
    return sources.getFileOffset(sources.getFileLoc(at));
  }
  clang::SourceLocation location(std::size_t at) const {
    const auto& sources = context_.getSourceManager();
    return sources.getLocForStartOfFile(sources.getMainFileID()).getLocWithOffset(static_cast<int>(at));
  }
  std::optional<range> with_semicolon(const Stmt* s) const {
    std::optional<range> r = text_.of(s->getSourceRange());
    if (!r.has_value()) return r;
    const std::size_t next = text_.next(r->end);
    if (next < text_.whole().size() && text_.whole()[next] == ';') r->end = next + 1;
    return r;
  }

  loop read(const candidate& c) {
    const Stmt* const s = c.statement;
    loop l;

    const std::optional<range> at = text_.of(s->getSourceRange());
    if (!at.has_value()) refuse(s, "the loop", "a macro makes it");
    l.statement = *at;
    if (!llvm::isa<clang::CompoundStmt>(body_of(s)) && with_semicolon(s).has_value()) l.statement = *with_semicolon(s);
    if (llvm::isa<clang::DoStmt>(s)) l.statement = *with_semicolon(s);
    if (c.function->isDependentContext() || is_in_generic_lambda(c)) refuse(s, "the loop", "it is in a template");
    l.function = c.function->getDeclName().isIdentifier() ? c.function->getNameAsString() : "";
    content_finder content(context_);
    content.TraverseStmt(const_cast<Stmt*>(s));
    if (content.escape != nullptr) refuse(content.escape, "the loop", "it has a way out: return or goto");
    if (includes_within(l.statement, context_)) refuse(s, "the loop", "a file is included in it");
    const clang::CompoundStmt* const block =
        c.around.empty() ? nullptr : llvm::dyn_cast<clang::CompoundStmt>(c.around.back());
    if (block == nullptr) refuse(s, "the loop", "it is no statement of a block");
    check_branches(c);
    l.pragma = pragma_of(l.statement.begin);
    find_barrier(c, block, l);
    loop_scope scope = scope_of(c, l);
    touches of = cut(context_, text_, scope, l);
    if (l.steps.empty()) refuse(s, "the loop", "nothing of it is translated");
    set_world(c, l);
    check_variables(s, l);
    if (const std::optional<dependence> d = dependence_of(of, l))
      throw loop_refusal{location(d->position), d->name, d->reason};
    find_unused(c, scope, of, l);
    return l;
  }

  // A barrier in another branch would meet the end of the superstep in this one.
  void check_branches(const candidate& c) const {
    path whole = c.around;
    whole.push_back(c.statement);
    if (!way_past({nullptr, nullptr, nullptr, whole, c.function}, found_, context_).empty())
      refuse(c.statement, "the loop", "it is in a branch that other PEs may not take");
    for (std::size_t i = 0; i < c.around.size(); ++i) {
      const Stmt* const inner = i + 1 < c.around.size() ? c.around[i + 1] : c.statement;
      if (llvm::isa<clang::SwitchStmt>(c.around[i])) refuse(c.statement, "the loop", "it is in a switch");
      const auto* const s = llvm::dyn_cast<clang::IfStmt>(c.around[i]);
      if (s == nullptr || inner == s->getCond()) continue;
      content_finder own(context_);
      own.TraverseStmt(const_cast<Stmt*>(inner));
      if (own.escape != nullptr) refuse(c.statement, "the loop", "a way out of its branch passes other barriers");
      const Stmt* const other = inner == s->getThen() ? s->getElse() : s->getThen();
      if (other == nullptr) continue;
      content_finder content(context_);
      content.TraverseStmt(const_cast<Stmt*>(other));
      if (content.waits) refuse(c.statement, "the loop", "another branch waits for other PEs, too");
    }
  }

  static bool is_in_generic_lambda(const candidate& c) {
    return std::ranges::any_of(c.around, [](const Stmt* s) {
      const auto* const lambda = llvm::dyn_cast<clang::LambdaExpr>(s);
      return lambda != nullptr && lambda->isGenericLambda();
    });
  }

  // The line that vouches for a statement; empty: none does.
  range pragma_of(std::size_t statement) {
    for (const std::size_t p : pragmas_) {
      const std::size_t line = p == 0 ? 0 : text_.whole().rfind('\n', p) + 1;
      const std::size_t end = text_.whole().find('\n', p);
      if (end == std::string::npos || end >= statement || text_.next_code(end) != statement) continue;
      used_pragmas_.insert(p);
      return {line, end};
    }
    return {};
  }

  // All PEs come to the statements of a block that has a collective call behind the loop, so they come to the loop.
  void find_barrier(const candidate& c, const clang::CompoundStmt* block, loop& l) const {
    const auto own = std::find(block->body_begin(), block->body_end(), c.statement);
    bool is_next = true;
    for (auto at = own + 1; at != block->body_end(); ++at, is_next = false) {
      content_finder content(context_);
      content.TraverseStmt(*at);
      if (is_collective_statement(*at)) {
        const auto* const call = call_of(*at);
        const bool is_barrier = is_next && call != nullptr && is_barrier_call(call);
        if (is_barrier && completes_nothing_else(block, own) && with_semicolon(*at).has_value())
          l.barrier = *with_semicolon(*at);
        return;
      }
      if (content.escape != nullptr || content.is_collective) break;
    }
    refuse(c.statement, "the loop", "no barrier follows in its block, so nothing says that all PEs come here");
  }

  static const clang::CallExpr* call_of(const Stmt* s) {
    const auto* const e = llvm::dyn_cast<Expr>(s);
    return e == nullptr ? nullptr : llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenCasts()->IgnoreImplicit());
  }
  // One that is executed in any case.
  bool is_collective_statement(const Stmt* s) const {
    if (!llvm::isa<Expr, clang::DeclStmt, clang::ReturnStmt>(s)) return false;
    return has_collective(s);
  }
  static bool has_collective(const Stmt* s) {
    if (s == nullptr || llvm::isa<clang::LambdaExpr, clang::AbstractConditionalOperator>(s)) return false;
    if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(s); b != nullptr && b->isLogicalOp())
      return has_collective(b->getLHS());
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s); call != nullptr && is_collective_call(call)) return true;
    if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
      return std::ranges::any_of(d->decls(), [](const clang::Decl* each) {
        const auto* const v = llvm::dyn_cast<clang::VarDecl>(each);
        return v != nullptr && has_collective(v->getInit());
      });
    }
    return std::ranges::any_of(s->children(), has_collective);
  }

  // Whether the barrier behind the loop completes nothing but the loop: since the statement before that waits for all,
  // nobody has put, or written for others to read.
  bool completes_nothing_else(const clang::CompoundStmt* block, clang::CompoundStmt::const_body_iterator own) const {
    while (own != block->body_begin()) {
      const Stmt* const before = *--own;
      const clang::CallExpr* const call = call_of(before);
      if (call != nullptr && is_barrier_call(call)) return true;
      call_finder calls;
      calls.TraverseStmt(const_cast<Stmt*>(before));
      if (calls.has_call) return false;
    }
    return false;
  }

  loop_scope scope_of(const candidate& c, const loop& l) {
    loop_scope scope;
    scope.statement = c.statement;
    scope.function = c.function;
    scope.found = &found_;
    scope.is_in_loop = std::ranges::any_of(c.around, is_loop);
    inner_finder inner;
    inner.TraverseStmt(const_cast<Stmt*>(c.statement));
    scope.declared = inner.declared;
    // Outermost first.
    std::ranges::sort(inner.loops, {}, [&](const Stmt* s) { return position(s->getBeginLoc()); });
    for (const Stmt* each : inner.loops) {
      const std::optional<range> r = text_.of(each->getSourceRange());
      if (!r.has_value()) refuse(each, "a loop", "a macro makes it");
      scope.loops.push_back(*r);
      scope.bodies.push_back(position(body_of(each)->getBeginLoc()));
      scope.is_vouched.push_back(!pragma_of(r->begin).is_empty());
    }
    if (!inner.loops.empty()) scope.loops[0] = l.statement;
    for (const Stmt* each : inner.loops) scope.counters.push_back(counter_of(each));
    find_private(c, scope);
    return scope;
  }

  // The variable of a for loop that its head alone changes, by a constant.
  const clang::ValueDecl* counter_of(const Stmt* s) const {
    const auto* const f = llvm::dyn_cast<clang::ForStmt>(s);
    if (f == nullptr || f->getInc() == nullptr) return nullptr;
    const Expr* const step = f->getInc()->IgnoreParenImpCasts();
    const clang::VarDecl* v = nullptr;
    if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(step); u != nullptr && u->isIncrementDecrementOp())
      v = variable_of(u->getSubExpr());
    const auto* const b = llvm::dyn_cast<clang::CompoundAssignOperator>(step);
    Expr::EvalResult by;
    if (b != nullptr && (b->getOpcode() == clang::BO_AddAssign || b->getOpcode() == clang::BO_SubAssign) &&
        !b->getRHS()->isValueDependent() && b->getRHS()->EvaluateAsInt(by, context_) && by.Val.getInt() != 0)
      v = variable_of(b->getLHS());
    if (v == nullptr || !v->hasLocalStorage() || v->getType()->isReferenceType() ||
        context_.getTypeSize(v->getType()) < 32)
      return nullptr;
    return is_changed_in(f->getBody(), v) || is_changed_in(f->getCond(), v) ? nullptr : v;
  }
  static bool is_changed_in(const Stmt* s, const clang::VarDecl* v) {
    if (s == nullptr) return false;
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(s);
    if (b != nullptr && b->isAssignmentOp() && variable_of(b->getLHS()) == v) return true;
    const auto* const u = llvm::dyn_cast<clang::UnaryOperator>(s);
    if (u != nullptr && (u->isIncrementDecrementOp() || u->getOpcode() == clang::UO_AddrOf) &&
        variable_of(u->getSubExpr()) == v)
      return true;
    return std::ranges::any_of(s->children(), [&](const Stmt* each) { return is_changed_in(each, v); });
  }

  // Where a place gets a new value of `v` before all that follows there: a block with an assignment among its statements, or
  // a for loop that begins with one. Nothing if it might get an older value.
  struct fresh_scope {
    const Stmt* scope;
    std::size_t at;  // of the assignment
    std::size_t begin;  // the position from which on it is one thing
  };
  std::vector<fresh_scope> fresh_scopes(const reference& r, const clang::VarDecl* v) const {
    std::vector<fresh_scope> all;
    const std::size_t own = position(r.name->getLocation());
    for (const Stmt* s : r.around) {
      if (const auto* f = llvm::dyn_cast<clang::ForStmt>(s)) {
        if (assigns(f->getInit(), v) && !is_named_in_value(f->getInit(), own))
          all.push_back({f, position(f->getInit()->getBeginLoc()), position(f->getBeginLoc()) - 1});
      } else if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
        for (const Stmt* each : block->body()) {
          const std::size_t at = position(each->getBeginLoc());
          if (at > own) break;
          if (!assigns(each, v) || is_named_in_value(each, own)) continue;
          all.push_back({block, at, position(block->getBeginLoc())});
          break;
        }
      }
    }
    return all;
  }
  static bool assigns(const Stmt* s, const clang::VarDecl* v) {
    const auto* const e = llvm::dyn_cast_or_null<Expr>(s);
    const auto* const b = e == nullptr ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreImplicit());
    return b != nullptr && b->getOpcode() == clang::BO_Assign && variable_of(b->getLHS()) == v;
  }
  // Whether the name at `own` is in the value that the assignment gives.
  bool is_named_in_value(const Stmt* assignment, std::size_t own) const {
    const auto* const b = llvm::cast<clang::BinaryOperator>(llvm::cast<Expr>(assignment)->IgnoreImplicit());
    return own >= position(b->getRHS()->getBeginLoc()) && own <= position(b->getRHS()->getEndLoc());
  }

  // Variables of the function that a scope within the loop gives a new value before all else, and whose value is used by
  // nothing after the loop: each iteration may have its own.
  void find_private(const candidate& c, loop_scope& scope) const {
    std::map<const clang::VarDecl*, std::vector<const reference*>> names;
    for (const reference& r : found_.references) {
      const auto* const v = llvm::dyn_cast<clang::VarDecl>(r.name->getDecl());
      if (v != nullptr && v->isLocalVarDecl() && v->hasLocalStorage() && v->getType()->isArithmeticType())
        names[v].push_back(&r);
    }
    for (const auto& [v, all] : names) {
      if (scope.declared.contains(v)) continue;
      const std::optional<std::size_t> since = private_since(c, v, all);
      if (!since.has_value()) continue;
      scope.declared.insert(v);
      scope.private_since.emplace(v, *since);
    }
  }
  std::optional<std::size_t> private_since(const candidate& c, const clang::VarDecl* v,
                                           const std::vector<const reference*>& all) const {
    const std::size_t end = position(c.statement->getEndLoc());
    std::optional<std::size_t> since;
    for (const reference* r : all) {
      if (r->scope != all.front()->scope || is_address_taken(*r)) return std::nullopt;
      const bool is_within = std::ranges::find(r->around, c.statement) != r->around.end();
      bool is_fresh = false;
      for (const fresh_scope& f : fresh_scopes(*r, v)) {
        const bool holds_loop = f.scope != c.statement && std::ranges::find(c.around, f.scope) != c.around.end();
        if (is_within ? holds_loop || f.scope == c.statement : holds_loop && f.at < end) continue;
        is_fresh = true;
        if (is_within) since = std::min(since.value_or(f.begin), f.begin);
        break;
      }
      if (!is_fresh) return std::nullopt;
    }
    return since;
  }
  static bool is_address_taken(const reference& r) {
    const auto* const u = r.around.empty() ? nullptr : llvm::dyn_cast<clang::UnaryOperator>(r.around.back());
    return u != nullptr && u->getOpcode() == clang::UO_AddrOf;
  }

  // Variables of the function that the loop's own code no longer names leave their declaration, if nothing else names them.
  void find_unused(const candidate& c, const loop_scope& scope, const touches& of, const loop& l) {
    for (const auto& [v, since] : scope.private_since) {
      const auto* const variable = llvm::cast<clang::VarDecl>(v);
      const bool is_only_here = std::ranges::all_of(found_.references, [&](const reference& r) {
        return r.name->getDecl() != variable || std::ranges::find(r.around, c.statement) != r.around.end();
      });
      const bool is_named = std::ranges::any_of(of.all, [&](const touch& t) {
        return t.is_captured && t.segment == none && l.variables[t.memory].name == v->getNameAsString();
      });
      const bool is_captured = std::ranges::any_of(c.around, [&](const Stmt* s) {
        const auto* const around = llvm::dyn_cast<clang::LambdaExpr>(s);
        return around != nullptr &&
               std::ranges::any_of(around->explicit_captures(), [&](const clang::LambdaCapture& each) {
                 return each.capturesVariable() && each.getCapturedVar() == variable;
               });
      });
      if (is_only_here && !is_named && !is_captured && variable->getInit() == nullptr) unused_.insert(variable);
    }
  }

  // Declarations without the variables that nothing names any more.
  std::vector<replaced_text> declarations() const {
    declaration_finder finder;
    finder.TraverseDecl(context_.getTranslationUnitDecl());
    std::vector<replaced_text> all;
    for (const clang::DeclStmt* d : finder.found) {
      const auto is_unused = [&](const clang::Decl* each) {
        return unused_.contains(llvm::dyn_cast<clang::VarDecl>(each));
      };
      if (std::ranges::none_of(d->decls(), is_unused)) continue;
      const bool is_plain = std::ranges::all_of(d->decls(), [](const clang::Decl* each) {
        const auto* const v = llvm::dyn_cast<clang::VarDecl>(each);
        return v != nullptr && v->getType()->isArithmeticType();
      });
      if (!is_plain) continue;
      const std::optional<range> whole = text_.of(d->getSourceRange());
      if (!whole.has_value()) continue;
      std::string kept;
      for (const clang::Decl* each : d->decls()) {
        const std::optional<range> name = text_.of({each->getLocation(), each->getEndLoc()});
        if (!is_unused(each) && name.has_value()) kept += (kept.empty() ? "" : ", ") + text_.text(*name);
      }
      const std::size_t first = position((*d->decl_begin())->getLocation());
      all.push_back({*whole, kept.empty() ? "" : text_.text({whole->begin, first}) + kept + ";"});
    }
    return all;
  }

  void set_world(const candidate& c, loop& l) const {
    l.family = l.steps[0].family;
    for (const loop_step& s : l.steps) {
      const auto is_native = [](access_family f) { return f == access_family::world || f == access_family::array; };
      if (is_native(s.family) != is_native(l.family)) refuse(c.statement, "the loop", "it has access of two systems");
    }
    if (l.family == access_family::shmem || l.family == access_family::getput) {
      l.world = "shoal::world_of_program()";
      const bool sees_hclib = !context_.getTranslationUnitDecl()->lookup(&context_.Idents.get("hclib")).empty();
      l.is_outermost = !sees_hclib && (c.function->isMain() || !c.function->isExternallyVisible());
      return;
    }
    const clang::VarDecl* const world = world_near(c);
    if (world == nullptr) refuse(c.statement, "the loop", "the function has no shoal::world of its own");
    l.world = world->getNameAsString();
    for (const Stmt* s : c.around) {
      const auto* const call = llvm::dyn_cast<clang::CallExpr>(s);
      if (call != nullptr && member_call_of(call).name == "finish")
        refuse(c.statement, "the loop", "it is in a superstep already");
    }
    const finish_site here{nullptr, world, nullptr, c.around, c.function};
    l.is_outermost = is_outermost(here, found_);
  }
  // A parameter or variable of the function or of the innermost lambda around.
  const clang::VarDecl* world_near(const candidate& c) const {
    const auto is_world = [](const clang::ValueDecl* v) { return is_type(v->getType(), "shoal::world"); };
    for (auto at = c.around.rbegin(); at != c.around.rend(); ++at) {
      const auto* const l = llvm::dyn_cast<clang::LambdaExpr>(*at);
      if (l == nullptr) continue;
      for (const clang::ParmVarDecl* p : l->getCallOperator()->parameters()) {
        if (is_world(p) && !is_hidden(p, c.around)) return p;
      }
    }
    for (const clang::ParmVarDecl* p : c.function->parameters()) {
      if (is_world(p) && !is_hidden(p, c.around)) return p;
    }
    return nullptr;
  }

  // What handlers name has to have a type that a message or a selector can have.
  void check_variables(const Stmt* s, const loop& l) const {
    const bool has_rest = std::ranges::any_of(l.steps, &loop_step::has_rest);
    const std::string whole = text_.text(l.statement);
    for (std::size_t at = whole.find('\n'); has_rest && at != std::string::npos; at = whole.find('\n', at + 1)) {
      const std::size_t word = whole.find_first_not_of(" \t", at + 1);
      if (word == std::string::npos || whole[word] != '#') continue;
      const std::size_t verb = whole.find_first_not_of(" \t", word + 1);
      if (verb != std::string::npos && whole.compare(verb, 6, "pragma") != 0)
        refuse(s, "the loop", "the preprocessor decides about parts of it");
    }
    for (const loop_variable& v : l.variables) {
      if (is_of_selectors(v.name)) refuse(s, v.name, "a selector has something else of this name");
    }
    for (const loop_step& step : l.steps) {
      for (const std::size_t v : step.uses) {
        const loop_variable& its = l.variables[v];
        if (its.type.find('*') != std::string::npos &&
            (its.kind == variable_kind::iteration || its.kind == variable_kind::counter))
          refuse(s, its.name, "it holds an address, which does not travel");
        if (its.kind == variable_kind::iteration && its.type.empty())
          refuse(s, its.name, "it cannot travel with the access of line " + std::to_string(step.line));
        if (its.type.find('(') != std::string::npos || its.type.find("lambda") != std::string::npos)
          refuse(s, its.name, "its type has no name");
      }
    }
  }

  clang::ASTContext& context_;
  const source_text& text_;
  const findings& found_;
  const std::vector<std::size_t>& pragmas_;
  program& into_;
  std::set<const clang::VarDecl*> unused_;
  std::set<std::size_t> used_pragmas_;
};

}  // namespace

source_loops read_loops(clang::ASTContext& context, const source_text& text, const findings& found,
                        const std::vector<std::size_t>& pragmas, program& into) {
  return reader(context, text, found, pragmas, into).take();
}

}  // namespace shoal::translate
