/// Functions and types of which the translator knows what they touch.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <string>

namespace shoal::translate {

/// A function of a library that touches nothing of the program but its arguments.
/// The name of a function that headers declare outside of namespaces, as those of C libraries; empty for the program's own.
std::string library_name(const clang::FunctionDecl* f);

bool is_pure(const clang::FunctionDecl* f);

/// It tells the number of PEs.
bool tells_n_pes(const clang::FunctionDecl* f);

/// It tells the number of this PE.
bool tells_own_pe(const clang::FunctionDecl* f);

/// It draws random numbers, and so touches what no other code of a program does.
bool draws_numbers(const clang::FunctionDecl* f);

/// It gives memory that nothing else names.
bool allocates(const clang::FunctionDecl* f);
/// The same, at one address on all PEs.
bool allocates_for_all(const clang::FunctionDecl* f);

/// Its body computes with what it is given, and does nothing else. `tells_pe`, if given: becomes true if it may name the
/// number of this PE.
bool is_simple(const clang::FunctionDecl* f, bool* tells_pe = nullptr);

/// Whether an expression has one value on all PEs: a constant, or how many there are.
bool is_same_everywhere(const clang::Expr* e, const clang::ASTContext& context);

/// Whether it names a variable of the function.
bool names_local(const clang::Stmt* s);

/// A container that owns its elements, and has them at subscripts.
bool is_container(clang::QualType type);
bool is_span(clang::QualType type);

/// Whether a selector has something of this name already, which a name of the program in its handlers would mean.
bool is_of_selectors(const std::string& name);

}  // namespace shoal::translate
