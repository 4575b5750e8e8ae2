/// Indices of libgetput's arrays, whose element i lies on PE i % THREADS: which of them name elements of one PE.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <vector>

#include "tools/translate/remote_access.hpp"
#include "tools/translate/source_text.hpp"

namespace shoal::translate {

/// The value of a variable, or its remainder by the number of PEs, and multiples of that number.
struct dealt_index {
  struct multiple {
    const clang::Expr* factor = nullptr;  // null: 1
    range at;  // of the factor, with its parentheses
    bool is_subtracted = false;
  };
  const clang::VarDecl* variable = nullptr;  // null: nothing is known
  bool is_remainder = false;
  std::vector<multiple> rounds;
};

/// Nothing is known where a type could change the value: unsigned sums wrap around, and casts may cut.
dealt_index dealt_index_of(const remote_access& a, const clang::ASTContext& context, const source_text& text);

}  // namespace shoal::translate
