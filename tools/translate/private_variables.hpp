/// Variables that each turn of a loop has for itself, wherever they are declared.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "tools/translate/loop_touches.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// The variable of a for loop that its head alone changes, by a constant; null: there is none.
const clang::ValueDecl* counter_of(const clang::Stmt* loop, const clang::ASTContext& context);

/// By how much the head of such a loop changes it; 0: there is none.
std::uint64_t stride_of(const clang::Stmt* loop, const clang::ASTContext& context);

/// Whether code assigns the variable, or takes its address.
bool is_changed_in(const clang::Stmt* code, const clang::VarDecl* v);

/// Adds variables of the function to what counts as declared in the loop: those that a scope within gives a new value before all
/// else, and whose value nothing uses after the loop. Programs in the style of C declare all theirs at the top.
void find_private(const loop_site& site, const findings& found, const source_text& text, loop_scope& scope);

/// Those of them that nothing names any more, since handlers declare them.
std::vector<const clang::VarDecl*> unused_of(const loop_site& site, const findings& found, const loop_scope& scope,
                                             const touches& of, const loop& l);

/// Declarations in `function` without the variables in `unused`.
std::vector<replaced_text> declarations_without(const std::set<const clang::VarDecl*>& unused,
                                                const clang::FunctionDecl* function, const source_text& text);

}  // namespace shoal::translate
