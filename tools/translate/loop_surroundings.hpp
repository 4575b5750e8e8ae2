/// What is in a loop and around it: whether it is one of single accesses, all PEs come to it, and a barrier ends it.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>

#include "tools/translate/walk.hpp"

namespace shoal::translate {

bool is_loop(const clang::Stmt* s);
const clang::Stmt* body_of_loop(const clang::Stmt* s);

struct loop_content {
  bool has_access = false;  // also of a kind that is not translated
  bool waits = false;  // for other PEs
  bool is_collective = false;
  const clang::Stmt* escape = nullptr;  // the first way out: return, goto and the like
};
loop_content content_of(const clang::Stmt* s, const clang::ASTContext& context);

/// The outermost loops that have one-sided access, and wait for nothing else.
std::vector<loop_site> loops_of_access(const findings& found, const clang::ASTContext& context);

/// Whether a function of OpenSHMEM or libgetput may end the job, itself or by functions of this source.
bool may_end_job(const clang::FunctionDecl* f);

/// Whether all PEs come to the loop, as far as conditions decide. Throws loop_refusal.
void check_branches(const loop_site& site, const findings& found, const clang::ASTContext& context);

/// All PEs come to a block with a collective call behind the loop, so they come to the loop. Returns the barrier that stands
/// right behind it and completes nothing else, or null. Throws loop_refusal if no such call follows in `block`.
const clang::Stmt* barrier_behind(const loop_site& site, const clang::CompoundStmt* block,
                                  const clang::ASTContext& context);

}  // namespace shoal::translate
