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
#include "tools/translate/walk.hpp"

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
  const findings* found = nullptr;
  std::vector<const clang::ValueDecl*> counters;  // by loop: the variable that only its head changes; null: none
  std::vector<std::uint64_t> strides;  // by loop: by how much its head changes that at least
  std::vector<range> loops;  // the loop itself first
  std::vector<std::size_t> bodies;  // where the body of each begins
  std::vector<bool> is_vouched;
  bool is_in_loop = false;  // another loop is around
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
  /// The elements on the PE whose loop it is that an access of several reads or writes.
  void look_at_elements(const remote_access& a, touch::kind how, std::size_t segment,
                        const std::set<const clang::Stmt*>& skipped);
  /// The head of a range-based for loop, which holds a range.
  void look_at_range(const clang::Expr* held, std::size_t segment, bool is_referred_to);
  /// A step gives `v` its value in its rest.
  void look_at_result(const clang::ValueDecl* v, const clang::Expr* at, std::size_t segment);

  /// While one lives, code may be left out; or it may not, since it begins a rest.
  class conditional {
  public:
    explicit conditional(touch_reader& of) : of_(of) { ++of_.n_conditions_; }
    ~conditional() { --of_.n_conditions_; }
    conditional(const conditional&) = delete;
    conditional& operator=(const conditional&) = delete;

  private:
    touch_reader& of_;
  };
  class certain {
  public:
    explicit certain(touch_reader& of) : of_(of), before_(of.n_conditions_) { of_.n_conditions_ = 0; }
    ~certain() { of_.n_conditions_ = before_; }
    certain(const certain&) = delete;
    certain& operator=(const certain&) = delete;

  private:
    touch_reader& of_;
    int before_;
  };

  /// Why an array may have another address on other PEs; empty: it has not.
  std::string not_symmetric(const clang::Expr* object, access_family family) const;

  /// Whether it is a call in the source's own text that tells the number of this PE, which may travel instead.
  bool is_own_pe(const clang::CallExpr* c) const;
  /// Whether code in this segment needs memory of the PE whose loop it is, or its number where that does not travel.
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
    std::size_t counter = none;
    bool is_part = false;  // of a variable
    bool is_real = false;
  };

  void expression(const clang::Expr* e);
  void unwritten(const clang::Expr* e);
  void call(const clang::CallExpr* e);
  void declaration(const clang::DeclStmt* d);
  bool touch_place(const clang::Expr* e, touch::kind how, const std::string& operation = {}, bool gives_value = false);
  void add_touch(const place& at, const clang::Expr* e, touch::kind how, const std::string& operation,
                 bool gives_value);
  bool find_place(const clang::Expr* e, place& found);
  void find_element(const clang::Expr* base, const clang::Expr* index, place& found);
  void find_in_memory(const clang::Expr* base, const clang::Expr* index, place& found);
  bool find_part(const clang::Expr* whole, place& found);
  bool is_at_one_place(const clang::Expr* base) const;
  std::string identity(const clang::Expr* e) const;
  void find_distinct(const clang::Expr* base, const clang::Expr* index, place& found) const;
  void find_distinct_elements(const clang::Expr* base, const clang::Expr* index, const remote_access& a,
                              place& found) const;
  bool is_count_of(const clang::Expr* e, const remote_access& a) const;
  void look_along(const clang::Expr* e);
  static const clang::VarDecl* root_of(const clang::Expr* e);
  std::string not_symmetric(const clang::VarDecl* v, access_family family, int depth) const;
  std::size_t memory_of(const clang::Expr* base);
  memory describe(const clang::Expr* base) const;
  memory describe(const clang::VarDecl* v, int depth = 0) const;
  bool is_assigned_later(const clang::VarDecl* v) const;
  bool has_other_names(const clang::VarDecl* v, bool counts_later) const;
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
  int n_conditions_ = 0;
  bool is_unwritten_ = false;  // a default argument or initialiser
  const std::set<const clang::Stmt*>* skipped_ = nullptr;
  const clang::Stmt* top_ = nullptr;  // the statement or expression in question
};

}  // namespace shoal::translate
