#include "tools/translate/loop_surroundings.hpp"

#include <algorithm>

#include "tools/translate/known_functions.hpp"
#include "tools/translate/loop_touches.hpp"
#include "tools/translate/remote_access.hpp"
#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;
using clang::Stmt;

[[noreturn]] void refuse(const Stmt* at, const std::string& thing, const std::string& reason) {
  throw loop_refusal{at->getBeginLoc(), thing, reason};
}

// Calls that may put something: all but those of containers, of known functions, and of those that tell numbers of PEs.
bool may_put(const clang::CallExpr* c) {
  static const std::set<std::string> names = {"shmem_my_pe", "shmem_n_pes", "my_pe", "n_pes"};
  const clang::FunctionDecl* const f = c->getDirectCallee();
  const auto* const member = llvm::dyn_cast<clang::CXXMemberCallExpr>(c);
  const auto* const operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(c);
  const Expr* const object = member != nullptr      ? member->getImplicitObjectArgument()
                             : operation != nullptr ? operation->getArg(0)
                                                    : nullptr;
  const bool is_of_container = object != nullptr && (is_container(object->getType()) || is_span(object->getType()));
  return f == nullptr || !(is_of_container || is_pure(f) || names.contains(f->getNameAsString()));
}
bool calls_others(const Stmt* s) {
  bool found = false;
  for_each_statement(s, [&](const Stmt* each) {
    const auto* const c = llvm::dyn_cast<clang::CallExpr>(each);
    found |= c != nullptr && may_put(c);
  });
  return found;
}

const clang::CallExpr* call_of(const Stmt* s) {
  const auto* const e = llvm::dyn_cast<Expr>(s);
  return e == nullptr ? nullptr : llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenCasts()->IgnoreImplicit());
}
bool has_collective(const Stmt* s) {
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

// One that is executed in any case.
bool is_collective_statement(const Stmt* s) {
  if (!llvm::isa<Expr, clang::DeclStmt, clang::ReturnStmt>(s)) return false;
  return has_collective(s);
}

// Whether the barrier behind the loop completes nothing but the loop: since the statement before that waits for all,
// nobody has put, or written for others to read.
bool completes_nothing_else(const clang::CompoundStmt* block, clang::CompoundStmt::const_body_iterator own) {
  while (own != block->body_begin()) {
    const Stmt* const before = *--own;
    const clang::CallExpr* const call = call_of(before);
    if (call != nullptr && is_barrier_call(call)) return true;
    if (calls_others(before)) return false;
  }
  return false;
}

}  // namespace

bool is_loop(const Stmt* s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

const Stmt* body_of_loop(const Stmt* s) {
  if (const auto* f = llvm::dyn_cast<clang::ForStmt>(s)) return f->getBody();
  if (const auto* w = llvm::dyn_cast<clang::WhileStmt>(s)) return w->getBody();
  if (const auto* d = llvm::dyn_cast<clang::DoStmt>(s)) return d->getBody();
  if (const auto* r = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) return r->getBody();
  return nullptr;
}

loop_content content_of(const Stmt* s, const clang::ASTContext& context) {
  loop_content all;
  for_each_statement(s, [&](const Stmt* each) {
    if (const auto* e = llvm::dyn_cast<Expr>(each)) {
      const remote_call found = remote_call_of(e, context);
      all.has_access |= found.access.has_value() || !found.refusal.empty();
    }
    if (const auto* c = llvm::dyn_cast<clang::CallExpr>(each)) {
      all.waits |= waits_for_others(c);
      all.is_collective |= is_collective_call(c);
    }
    const bool leaves =
        llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt, clang::CoreturnStmt>(
            each);
    if (leaves && all.escape == nullptr) all.escape = each;
  });
  return all;
}

std::vector<loop_site> loops_of_access(const findings& found, const clang::ASTContext& context) {
  std::vector<loop_site> all;
  for (const loop_site& each : found.loops) {
    const bool is_within = std::ranges::any_of(
        all, [&](const loop_site& outer) { return std::ranges::find(each.around, outer.loop) != each.around.end(); });
    if (is_within || each.function == nullptr) continue;
    const loop_content content = content_of(each.loop, context);
    if (content.has_access && !content.waits) all.push_back(each);
  }
  return all;
}

bool may_end_job(const clang::FunctionDecl* f) {
  std::set<const clang::FunctionDecl*> seen;
  std::vector<const clang::FunctionDecl*> left = {f};
  while (!left.empty()) {
    const clang::FunctionDecl* const one = left.back();
    left.pop_back();
    if (!seen.insert(one).second) continue;
    bool ends = one->isMain();
    for_each_statement(one->getBody(), [&](const Stmt* s) {
      const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(s);
      const auto* const called = name == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
      if (called == nullptr) return;
      if (const clang::FunctionDecl* const definition = called->getDefinition()) left.push_back(definition);
      ends |= called->getDeclName().isIdentifier() && called->getName().ends_with("finalize");
    });
    if (ends) return true;
  }
  return false;
}

// A barrier in another branch would meet the end of the superstep in this one.
void check_branches(const loop_site& site, const findings& found, const clang::ASTContext& context) {
  path whole = site.around;
  whole.push_back(site.loop);
  if (!way_past({nullptr, nullptr, nullptr, whole, site.function}, found, context).empty())
    refuse(site.loop, "the loop", "it is in a branch that other PEs may not take");
  for (std::size_t i = 0; i < site.around.size(); ++i) {
    const Stmt* const inner = i + 1 < site.around.size() ? site.around[i + 1] : site.loop;
    if (llvm::isa<clang::SwitchStmt>(site.around[i])) refuse(site.loop, "the loop", "it is in a switch");
    const auto* const s = llvm::dyn_cast<clang::IfStmt>(site.around[i]);
    if (s == nullptr || inner == s->getCond()) continue;
    if (content_of(inner, context).escape != nullptr)
      refuse(site.loop, "the loop", "a way out of its branch passes other barriers");
    const Stmt* const other = inner == s->getThen() ? s->getElse() : s->getThen();
    if (other == nullptr) continue;
    if (content_of(other, context).waits) refuse(site.loop, "the loop", "another branch waits for other PEs, too");
  }
}

const clang::Stmt* barrier_behind(const loop_site& site, const clang::CompoundStmt* block,
                                  const clang::ASTContext& context) {
  const auto own = std::find(block->body_begin(), block->body_end(), site.loop);
  bool is_next = true;
  for (auto at = own + 1; at != block->body_end(); ++at, is_next = false) {
    const loop_content content = content_of(*at, context);
    if (is_collective_statement(*at)) {
      const auto* const call = call_of(*at);
      const bool is_barrier = is_next && call != nullptr && is_barrier_call(call);
      return is_barrier && completes_nothing_else(block, own) ? *at : nullptr;
    }
    if (content.escape != nullptr || content.is_collective) break;
  }
  refuse(site.loop, "the loop", "no barrier follows in its block, so nothing says that all PEs come here");
}

}  // namespace shoal::translate
