#include "tools/translate/surroundings.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>

namespace shoal::translate {
namespace {

// Collectives of the world, which give all PEs the same.
bool is_collective(const std::string& name) {
  static const std::set<std::string> names = {"sum", "min", "max", "all_reduce", "broadcast", "n_pes", "all", "any"};
  return names.contains(name);
}

// `world` is that of the superstep: a collective of a team tells only the team.
bool is_same_everywhere(const clang::Expr* e, const clang::VarDecl* world, const clang::ASTContext& context) {
  e = e->IgnoreUnlessSpelledInSource();
  if (!e->isValueDependent() && e->isEvaluatable(context)) return true;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) {
    const member_call m = member_call_of(call);
    if (m.object != nullptr) return is_collective(m.name) && variable_of(m.object) == world;
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* const v = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return v != nullptr && v->getType().isConstQualified() && v->getInit() != nullptr && v->hasLocalStorage() &&
           is_same_everywhere(v->getInit(), world, context);
  }
  if (const auto* b = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !b->isAssignmentOp() && is_same_everywhere(b->getLHS(), world, context) &&
           is_same_everywhere(b->getRHS(), world, context);
  if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(e))
    return !u->isIncrementDecrementOp() && u->getOpcode() != clang::UO_Deref &&
           is_same_everywhere(u->getSubExpr(), world, context);
  if (const auto* p = llvm::dyn_cast<clang::ParenExpr>(e)) return is_same_everywhere(p->getSubExpr(), world, context);
  return false;
}

bool holds(const path& around, const clang::Stmt* s) { return std::ranges::find(around, s) != around.end(); }

// A condition between statement `outer` of a path and its child `inner`, that PEs may answer differently.
bool divides(const clang::Stmt* outer, const clang::Stmt* inner, const clang::VarDecl* world,
             const clang::ASTContext& context) {
  if (const auto* s = llvm::dyn_cast<clang::IfStmt>(outer))
    return (inner == s->getThen() || inner == s->getElse()) && !s->isConstexpr() &&
           !is_same_everywhere(s->getCond(), world, context);
  if (const auto* s = llvm::dyn_cast<clang::SwitchStmt>(outer))
    return inner == s->getBody() && !is_same_everywhere(s->getCond(), world, context);
  if (const auto* s = llvm::dyn_cast<clang::ConditionalOperator>(outer))
    return inner != s->getCond() && !is_same_everywhere(s->getCond(), world, context);
  if (const auto* s = llvm::dyn_cast<clang::BinaryOperator>(outer))
    return s->isLogicalOp() && inner != s->getLHS() && !is_same_everywhere(s->getLHS(), world, context);
  return llvm::isa<clang::CXXCatchStmt>(outer);
}

const clang::LambdaExpr* innermost_lambda(const path& around) {
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    if (const auto* l = llvm::dyn_cast<clang::LambdaExpr>(*at)) return l;
  }
  return nullptr;
}

bool is_run(const clang::CallExpr* call) {
  const clang::FunctionDecl* const f = call->getDirectCallee();
  if (f != nullptr) return f->getQualifiedNameAsString() == "shoal::run";
  return false;
}

// Whether shoal::run gets this as an argument.
bool is_given_to_run(const path& around) {
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(*at)) return is_run(call);
    if (!llvm::isa<clang::Expr>(*at) || llvm::isa<clang::LambdaExpr>(*at)) return false;
  }
  return false;
}

// Whether something may jump to within `s`. A switch may jump to its own cases only.
bool has_label(const clang::Stmt* s, bool is_in_switch = false) {
  if (s == nullptr || llvm::isa<clang::LambdaExpr>(s)) return false;
  if (llvm::isa<clang::LabelStmt>(s) || (llvm::isa<clang::SwitchCase>(s) && !is_in_switch)) return true;
  is_in_switch |= llvm::isa<clang::SwitchStmt>(s);
  return std::ranges::any_of(s->children(), [&](const clang::Stmt* each) { return has_label(each, is_in_switch); });
}

// Whether something may jump past statement `own` of a block to what follows, and so past a variable before it.
bool may_be_jumped_over(const clang::CompoundStmt* block, const clang::Stmt* own) {
  const auto at = std::find(block->body_begin(), block->body_end(), own);
  return std::any_of(at, block->body_end(), [](const clang::Stmt* each) { return has_label(each); });
}

// What a statement declares for what is in its child `inner`, the last first.
std::vector<const clang::NamedDecl*> declared_by(const clang::Stmt* outer, const clang::Stmt* inner) {
  std::vector<const clang::NamedDecl*> found;
  const auto add = [&](const clang::Decl* d) {
    if (const auto* n = llvm::dyn_cast_or_null<clang::NamedDecl>(d)) found.push_back(n);
    if (const auto* parts = llvm::dyn_cast_or_null<clang::DecompositionDecl>(d))
      found.insert(found.end(), parts->bindings().begin(), parts->bindings().end());
  };
  if (const auto* l = llvm::dyn_cast<clang::LambdaExpr>(outer)) {
    for (const clang::ParmVarDecl* p : l->getCallOperator()->parameters()) add(p);
    for (const clang::LambdaCapture& c : l->captures()) {
      if (l->isInitCapture(&c)) add(c.getCapturedVar());
    }
    return found;
  }
  if (const auto* c = llvm::dyn_cast<clang::CXXCatchStmt>(outer)) add(c->getExceptionDecl());
  for (const clang::Stmt* each : outer->children()) {
    if (each == inner) break;
    const auto* const d = llvm::dyn_cast_or_null<clang::DeclStmt>(each);
    if (d != nullptr) std::for_each(d->decl_begin(), d->decl_end(), add);
  }
  std::ranges::reverse(found);
  return found;
}

bool is_called(const reference& r) {
  for (auto at = r.around.rbegin(); at != r.around.rend(); ++at) {
    const auto* const call = llvm::dyn_cast<clang::CallExpr>(*at);
    if (call != nullptr) return call->getCallee()->IgnoreParenImpCasts() == r.name;
    if (!llvm::isa<clang::CastExpr, clang::ParenExpr>(*at)) return false;
  }
  return false;
}

bool begins_outermost(const path& around, const clang::FunctionDecl* function, const findings& found,
                      std::set<const clang::FunctionDecl*>& asked) {
  if (const clang::LambdaExpr* const l = innermost_lambda(around)) return is_given_to_run(found.lambdas.at(l));
  if (function == nullptr || function->isExternallyVisible() || !asked.insert(function).second) return false;
  bool is_used = false;
  for (const reference& r : found.references) {
    const auto* const f = llvm::dyn_cast<clang::FunctionDecl>(r.name->getDecl());
    if (f == nullptr || f->getCanonicalDecl() != function->getCanonicalDecl()) continue;
    is_used = true;
    if (is_given_to_run(r.around)) continue;
    if (!is_called(r) || !begins_outermost(r.around, r.function, found, asked)) return false;
  }
  return is_used;
}

}  // namespace

statement_around statement_of(const finish_site& site, const source_text& text) {
  const path& around = site.around;
  const clang::Stmt* own = around.back();
  statement_around found;
  for (std::size_t i = around.size() - 1; i-- > 0;) {
    const clang::Stmt* const outer = around[i];
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(outer)) {
      found.needs_braces = may_be_jumped_over(block, own);
      break;
    }
    if (!llvm::isa<clang::Expr, clang::ReturnStmt>(outer)) {
      found.needs_braces = true;
      break;
    }
    own = outer;
  }
  found.at = text.of(own->getSourceRange());
  if (found.at.has_value()) {
    const std::size_t after = text.next(found.at->end);
    if (after < text.whole().size() && text.whole()[after] == ';') found.at->end = after + 1;
  }
  return found;
}

bool is_in_block(const clang::Stmt* s, const clang::Decl* v) {
  if (s == nullptr) return false;
  for (const clang::Stmt* each : s->children()) {
    const auto* const d = llvm::dyn_cast_or_null<clang::DeclStmt>(each);
    if (d != nullptr && llvm::isa<clang::CompoundStmt>(s) && llvm::is_contained(d->decls(), v)) return true;
    if (is_in_block(each, v)) return true;
  }
  return false;
}

bool includes_within(range within, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry& each = sources.getLocalSLocEntry(i);
    const clang::SourceLocation at = each.isFile() ? each.getFile().getIncludeLoc() : clang::SourceLocation();
    if (at.isInvalid() || !sources.isInMainFile(at)) continue;
    const std::size_t offset = sources.getFileOffset(at);
    if (offset >= within.begin && offset < within.end) return true;
  }
  return false;
}

bool is_hidden(const clang::VarDecl* v, const path& around) {
  for (std::size_t i = around.size() - 1; i-- > 0;) {
    for (const clang::NamedDecl* d : declared_by(around[i], around[i + 1])) {
      if (d == v) return false;
      if (d->getDeclName() == v->getDeclName()) return true;
    }
  }
  return false;
}

bool is_in_arguments(const path& around, const send_site& send) {
  return around.back() != send.call && holds(around, send.call) && !holds(around, send.lambda->getBody());
}

std::string way_past(const finish_site& site, const findings& found, const clang::ASTContext& context) {
  for (std::size_t i = 0; i + 1 < site.around.size(); ++i) {
    if (divides(site.around[i], site.around[i + 1], site.world, context))
      return "it is in a branch that other PEs may not take, so that they would not make the selector";
  }
  for (const branch& b : found.branches) {
    if (b.around.front() != site.around.front() || is_same_everywhere(b.condition->getCond(), site.world, context))
      continue;
    const auto is_in_branch = [&](const path& p) { return holds(p, b.condition); };
    const bool has_finish =
        std::ranges::any_of(found.finishes, [&](const finish_site& f) { return is_in_branch(f.around); });
    if (has_finish && std::ranges::any_of(found.escapes, is_in_branch))
      return "some PEs may leave the function by another superstep, so that they would not make the selector";
  }
  return {};
}

bool is_outermost(const finish_site& site, const findings& found) {
  std::set<const clang::FunctionDecl*> asked;
  return begins_outermost(path(site.around.begin(), site.around.end() - 1), site.function, found, asked);
}

bool is_in_template(const finish_site& site) {
  if (site.function != nullptr && site.function->isDependentContext()) return true;
  return std::ranges::any_of(site.around, [](const clang::Stmt* s) {
    const auto* const l = llvm::dyn_cast<clang::LambdaExpr>(s);
    return l != nullptr && l->isGenericLambda();
  });
}

const finish_site* finish_around(const path& around, const findings& found) {
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    const auto* const l = llvm::dyn_cast<clang::LambdaExpr>(*at);
    if (l == nullptr) continue;
    const auto site = std::ranges::find(found.finishes, l, &finish_site::body);
    if (site != found.finishes.end()) return &*site;
  }
  return nullptr;
}

}  // namespace shoal::translate
