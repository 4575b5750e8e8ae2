/// What surrounds a superstep: the statement that it is, and whether all PEs come there.
#pragma once

#include <optional>
#include <string>

#include "tools/translate/program.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// The statement before which a class can stand.
struct statement_around {
  std::optional<range> at;  // nothing if a macro makes it
  bool needs_braces = false;
};
statement_around statement_of(const finish_site& site, const source_text& text);

/// Whether a declaration is a statement of a block.
bool is_in_block(const clang::Stmt* s, const clang::Decl* v);

/// Whether another file is included within.
bool includes_within(range within, const clang::ASTContext& context);

/// Whether a declaration between `v` and the place has its name.
bool is_hidden(const clang::VarDecl* v, const path& around);

/// Whether a place is among the arguments or captures of a send, but not in the body of its closure.
bool is_in_arguments(const path& around, const send_site& send);

/// Why some PEs might come to another superstep instead; empty if all come to this one.
std::string way_past(const finish_site& site, const findings& found, const clang::ASTContext& context);

/// Whether no other superstep can be open where this one begins.
bool is_outermost(const finish_site& site, const findings& found);

/// Whether a function or lambda around depends on template parameters.
bool is_in_template(const finish_site& site);

/// The superstep whose body holds the place; null if none does before the function ends.
const finish_site* finish_around(const path& around, const findings& found);

/// Why a lambda might be called at another time than the code around it; empty if it is not.
std::string called_later(const clang::LambdaExpr* lambda, const findings& found);

}  // namespace shoal::translate
