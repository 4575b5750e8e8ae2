/// What the code of a loop touches: variables, memory, and what nothing is known of.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/translate/dependences.hpp"
#include "tools/translate/remote_access.hpp"
#include "tools/translate/source_text.hpp"

namespace shoal::translate {

/// A loop cannot be translated: what and why.
struct loop_refusal {
  clang::SourceLocation at;
  std::string thing;
  std::string reason;
};

/// What `cut` (cut_loop.hpp) knows of the loop.
struct loop_scope {
  const clang::Stmt* statement = nullptr;
  const clang::FunctionDecl* function = nullptr;
  std::set<const clang::Decl*> declared;  // within, or as good as that
  std::map<const clang::ValueDecl*, std::size_t> private_since;  // of the latter: the block that gives each its value
  const clang::ValueDecl* counter = nullptr;  // the variable of a for loop that only its own increment changes
  std::vector<range> loops;  // the loop itself first
  std::vector<std::size_t> bodies;  // where the body of each begins
};

/// Looks at code, part by part. Throws loop_refusal.
class touch_reader {
public:
  touch_reader(clang::ASTContext& context, const source_text& text, const loop_scope& scope,
               std::function<std::size_t(const clang::ValueDecl*)> variable)
      : context_(context), text_(text), scope_(scope), variable_(std::move(variable)) {}

  /// Code that runs in the rest of step `segment`, but for what is in `skipped`.
  void look(const clang::Stmt* s, std::size_t segment, const std::set<const clang::Stmt*>& skipped);
  /// What a step does to the element that it names.
  void look_at_remote(const remote_access& a, std::size_t step, std::size_t segment);
  /// The head of a range-based for loop, which holds a range.
  void look_at_range(const clang::Expr* held, std::size_t segment);
  /// A step gives `v` its value in its rest.
  void look_at_result(const clang::ValueDecl* v, const clang::Expr* at, std::size_t segment);

  /// Whether code in this segment needs memory, or the number, of the PE whose loop it is.
  bool needs_origin(std::size_t segment) const { return at_origin_.contains(segment); }
  /// The variable that an array is a part of, and the path from there.
  struct named_array {
    const clang::VarDecl* root = nullptr;
    std::string path;
  };
  named_array array_of(const clang::Expr* object) const;

  std::vector<touch>& touches() { return touches_; }
  std::vector<memory>& memories() { return memories_; }

private:
  struct place {
    bool is_memory = false;
    std::string name;
    std::size_t index = none;  // of the variable or the memory
    std::string distinct;
    bool is_real = false;
  };

  void expression(const clang::Expr* e);
  void call(const clang::CallExpr* e);
  void declaration(const clang::DeclStmt* d);
  bool touch_place(const clang::Expr* e, touch::kind how, const std::string& operation = {}, bool gives_value = false);
  bool find_place(const clang::Expr* e, place& found);
  std::string distinct_of(const clang::Expr* index, std::size_t at) const;
  std::size_t memory_of(const clang::Expr* base);
  memory describe(const clang::Expr* base) const;
  memory describe(const clang::VarDecl* v, int depth = 0) const;
  bool is_assigned_later(const clang::VarDecl* v) const;
  void need_origin() { at_origin_.insert(segment_); }
  [[noreturn]] void refuse(const clang::Stmt* at, const std::string& thing, const std::string& reason) const;
  std::string source(const clang::Stmt* s) const;
  std::size_t position(const clang::Stmt* s) const;

  clang::ASTContext& context_;
  const source_text& text_;
  const loop_scope& scope_;
  std::function<std::size_t(const clang::ValueDecl*)> variable_;
  std::vector<touch> touches_;
  std::vector<memory> memories_;
  std::set<std::size_t> at_origin_;
  std::size_t segment_ = none;
  const std::set<const clang::Stmt*>* skipped_ = nullptr;
  const clang::Stmt* top_ = nullptr;  // the statement or expression in question
};

}  // namespace shoal::translate
