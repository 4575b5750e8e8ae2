/// One-sided access in a syntax tree: of OpenSHMEM, of libgetput, of Shoal's worlds and of its distributed arrays.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <cstdint>
#include <optional>
#include <string>

#include "tools/translate/loop.hpp"

namespace shoal::translate {

struct remote_access {
  const clang::Expr* whole = nullptr;
  access_family family = access_family::shmem;
  remote_operation operation = remote_operation::get;
  bool has_result = false;
  const clang::Expr* object = nullptr;  // names the array
  const clang::Expr* index = nullptr;  // null: its first element
  const clang::Expr* pe = nullptr;  // null: the index is one of the whole array
  const clang::Expr* value = nullptr;
  const clang::Expr* expected = nullptr;  // of compare_swap
  const clang::Expr* world = nullptr;  // of a world's access
  clang::QualType element;

  // Of several elements; null: it is one.
  const clang::Expr* local = nullptr;  // their address on this PE: the source of a put, or the destination of a get
  const clang::Expr* count = nullptr;
  std::optional<std::uint64_t> known_count;  // if it is a constant
  bool is_number = false;  // what counts is known_count, not the number that `count` has
  bool is_size = false;  // what counts is the size of the container or span `count`
};

struct remote_call {
  std::optional<remote_access> access;
  std::string refusal;  // it is one-sided, but of a kind that is not translated
};

/// What an expression does. Nothing of both if it is not one-sided access.
remote_call remote_call_of(const clang::Expr* e, const clang::ASTContext& context);

/// Whether all PEs have to call this: a barrier, an allocation, a reduction.
bool is_collective_call(const clang::CallExpr* call);

/// Whether it waits for other PEs, or orders what this PE has put: a loop with it is no loop of single accesses.
bool waits_for_others(const clang::CallExpr* call);

/// Whether it is a barrier and nothing else, which completes what PEs have put.
bool is_barrier_call(const clang::CallExpr* call);

}  // namespace shoal::translate
