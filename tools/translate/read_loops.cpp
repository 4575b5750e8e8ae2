#include "tools/translate/read_loops.hpp"

#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tools/translate/cut_loop.hpp"
#include "tools/translate/dependences.hpp"
#include "tools/translate/known_functions.hpp"
#include "tools/translate/loop_surroundings.hpp"
#include "tools/translate/private_variables.hpp"
#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;
using clang::Stmt;

class reader {
public:
  reader(clang::ASTContext& context, const source_text& text, const findings& found,
         const std::vector<std::size_t>& pragmas, program& into)
      : context_(context), text_(text), found_(found), pragmas_(pragmas), into_(into) {}

  source_loops take() {
    std::vector<loop> all;
    for (const loop_site& each : loops_of_access(found_, context_)) {
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
    std::vector<replaced_text> changed;
    for (const auto& [function, unused] : unused_) {
      const std::vector<replaced_text> more = declarations_without(unused, function, text_);
      changed.insert(changed.end(), more.begin(), more.end());
    }
    return {std::move(all), std::move(changed)};
  }

private:
  [[noreturn]] void refuse(const Stmt* at, const std::string& thing, const std::string& reason) const {
    throw loop_refusal{at->getBeginLoc(), thing, reason};
  }

  clang::SourceLocation location(std::size_t at) const {
    const auto& sources = context_.getSourceManager();
    return sources.getLocForStartOfFile(sources.getMainFileID()).getLocWithOffset(static_cast<int>(at));
  }
  loop read(const loop_site& c) {
    const Stmt* const s = c.loop;
    loop l;
    const std::optional<range> at = text_.of_statement(s);
    if (!at.has_value()) refuse(s, "the loop", "a macro makes it");
    l.statement = *at;
    if (c.function->isDependentContext() || is_in_generic_lambda(c)) refuse(s, "the loop", "it is in a template");
    l.function = c.function->getDeclName().isIdentifier() ? c.function->getNameAsString() : "";
    if (const Stmt* const escape = content_of(s, context_).escape)
      refuse(escape, "the loop", "it has a way out: return or goto");
    if (includes_within(l.statement, context_)) refuse(s, "the loop", "a file is included in it");
    const clang::CompoundStmt* const block =
        c.around.empty() ? nullptr : llvm::dyn_cast<clang::CompoundStmt>(c.around.back());
    if (block == nullptr) refuse(s, "the loop", "it is no statement of a block");
    check_branches(c, found_, context_);
    l.pragma = pragma_of(l.statement.begin);
    l.is_checked = !l.pragma.is_empty() && !says_unchecked(text_.text(l.pragma));
    const Stmt* const barrier = barrier_behind(c, block, context_);
    if (barrier != nullptr) l.barrier = text_.of_statement(barrier).value_or(range{});
    loop_scope scope = scope_of(c, l);
    touches of = cut(context_, text_, scope, l);
    if (l.steps.empty()) refuse(s, "the loop", "nothing of it is translated");
    set_world(c, l);
    check_variables(s, l);
    if (const std::optional<dependence> d = dependence_of(of, l))
      throw loop_refusal{location(d->position), d->name, d->reason};
    for (const clang::VarDecl* v : unused_of(c, found_, scope, of, l)) unused_[c.function].insert(v);
    return l;
  }

  static bool is_in_generic_lambda(const loop_site& c) {
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

  static bool says_unchecked(const std::string& pragma) {
    const std::string before = "independent";
    const std::size_t word = pragma.find_first_not_of(" \t", pragma.find(before) + before.size());
    return word != std::string::npos && pragma.compare(word, 9, "unchecked") == 0;
  }

  loop_scope scope_of(const loop_site& c, const loop& l) {
    loop_scope scope;
    scope.statement = c.loop;
    scope.function = c.function;
    scope.found = &found_;
    scope.is_in_loop = std::ranges::any_of(c.around, is_loop);
    std::vector<const Stmt*> loops;  // the outer ones first
    for_each_statement(c.loop, [&](const Stmt* s) {
      if (is_loop(s)) loops.push_back(s);
      if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) declare(d, scope);
    });
    for (const Stmt* each : loops) {
      const std::optional<range> r = text_.of(each->getSourceRange());
      if (!r.has_value()) refuse(each, "a loop", "a macro makes it");
      scope.loops.push_back(*r);
      scope.bodies.push_back(text_.offset(body_of_loop(each)->getBeginLoc()));
      scope.is_vouched.push_back(!pragma_of(r->begin).is_empty());
    }
    scope.loops[0] = l.statement;
    for (const Stmt* each : loops) {
      scope.counters.push_back(counter_of(each, context_));
      scope.strides.push_back(stride_of(each, context_));
    }
    find_private(c, found_, text_, scope);
    return scope;
  }
  static void declare(const clang::DeclStmt* d, loop_scope& scope) {
    for (const clang::Decl* each : d->decls()) {
      scope.declared.insert(each);
      if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(each))
        scope.declared.insert(parts->bindings().begin(), parts->bindings().end());
    }
  }

  void set_world(const loop_site& c, loop& l) const {
    l.family = l.steps[0].family;
    for (const loop_step& s : l.steps) {
      const auto is_native = [](access_family f) { return f == access_family::world || f == access_family::array; };
      if (is_native(s.family) != is_native(l.family)) refuse(c.loop, "the loop", "it has access of two systems");
    }
    if (l.family == access_family::shmem || l.family == access_family::getput) {
      l.world = "shoal::world_of_program()";
      l.is_scope = may_end_job(c.function);
      const bool sees_hclib = !context_.getTranslationUnitDecl()->lookup(&context_.Idents.get("hclib")).empty();
      // Nobody opens a superstep around it.
      l.is_outermost =
          !sees_hclib && found_.finishes.empty() && (c.function->isMain() || !c.function->isExternallyVisible());
      return;
    }
    const clang::VarDecl* const world = world_near(c);
    if (world == nullptr) refuse(c.loop, "the loop", "the function has no shoal::world of its own");
    l.world = world->getNameAsString();
    for (const Stmt* s : c.around) {
      const auto* const call = llvm::dyn_cast<clang::CallExpr>(s);
      if (call != nullptr && member_call_of(call).name == "finish")
        refuse(c.loop, "the loop", "it is in a superstep already");
    }
    const finish_site here{nullptr, world, nullptr, c.around, c.function};
    l.is_outermost = is_outermost(here, found_);
  }
  // A parameter or variable of the function or of the innermost lambda around.
  const clang::VarDecl* world_near(const loop_site& c) const {
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
    for_each_statement(s, [&](const Stmt* each) {
      const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(each);
      if (name != nullptr && llvm::isa<clang::VarDecl>(name->getDecl()) && !name->hasQualifier() &&
          is_of_selectors(name->getDecl()->getNameAsString()))
        refuse(s, name->getDecl()->getNameAsString(), "a selector has something else of this name");
    });
    for (const loop_step& step : l.steps) {
      for (const std::size_t v : step.uses) {
        const loop_variable& its = l.variables[v];
        if (its.type.find('*') != std::string::npos &&
            (its.kind == variable_kind::iteration || its.kind == variable_kind::counter))
          refuse(s, its.name, "it holds an address, which does not travel");
        const bool is_declared_there = std::ranges::find(step.declares, v) != step.declares.end();
        if (its.kind == variable_kind::iteration && its.type.empty() && !is_declared_there)
          refuse(s, its.name, "it cannot travel with the access of line " + std::to_string(step.line));
        if (its.type.find('[') != std::string::npos) refuse(s, its.name, "it is an array of arrays");
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
  std::map<const clang::FunctionDecl*, std::set<const clang::VarDecl*>> unused_;
  std::set<std::size_t> used_pragmas_;
};

}  // namespace

source_loops read_loops(clang::ASTContext& context, const source_text& text, const findings& found,
                        const std::vector<std::size_t>& pragmas, program& into) {
  return reader(context, text, found, pragmas, into).take();
}

}  // namespace shoal::translate
