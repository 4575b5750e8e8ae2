/// One-sided access to several elements that lie together, and the places that accesses name.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <string>

#include "tools/translate/remote_access.hpp"

namespace shoal::translate {

/// A symmetric array and the index in it that an address names: `&a[i]`, `a + i`, `&a`, `a`.
struct array_place {
  const clang::Expr* object = nullptr;
  const clang::Expr* index = nullptr;  // null: the first element
};
array_place place_of(const clang::Expr* address);

/// Of an object of array_place; null: it has no elements.
clang::QualType element_of_object(const clang::Expr* object);

/// What an address names on this PE: elements of an array, a container or a span, or one variable.
struct local_place {
  const clang::Expr* base = nullptr;
  const clang::Expr* index = nullptr;  // null: the first element, or the variable
  bool is_variable = false;  // base is the only element
  clang::QualType element;
};
std::optional<local_place> local_place_of(const clang::Expr* address);

/// Whether this is access to several elements.
inline bool is_several(const remote_access& a) { return a.count != nullptr; }

/// Whether code has to wait for what it reads, although it has no result.
inline bool reads_several(const remote_access& a) { return is_several(a) && a.operation == remote_operation::get; }

/// Whether what counts elements is given in bytes, as a multiple of one element's; then `factor` is how many.
struct element_count {
  const clang::Expr* factor = nullptr;
  std::optional<std::uint64_t> known;
};
std::optional<element_count> elements_in_bytes(const clang::Expr* bytes, clang::QualType element,
                                               const clang::ASTContext& context);

/// A call of OpenSHMEM whose name is `verb` without its type. A refusal if it is not translated.
remote_call shmem_range_call(const clang::CallExpr* call, const std::string& verb, const clang::ASTContext& context);
/// A call of lgp_memput or lgp_memget.
remote_call getput_range_call(const clang::CallExpr* call, bool is_get, const clang::ASTContext& context);
/// A world's get or put with a span; `a`: the rest of it.
remote_call world_range_call(remote_access a, const clang::Expr* span, const clang::ASTContext& context);

}  // namespace shoal::translate
