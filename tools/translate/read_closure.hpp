/// Reads one closure: what it captures, what its receiver knows already, and where its body uses it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tools/translate/effects.hpp"
#include "tools/translate/program.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

/// A PE, as seen along a chain of closures: that where the closure of a depth runs; -1: that of the main program.
using pe_of_depth = int;

/// What is known of a variable's value.
struct meaning {
  std::set<pe_of_depth> pes;  // it is the number of each of these
  bool is_n_pes = false;
  std::string constant;  // its value, if it is one
  const clang::VarDecl* per_pe = nullptr;  // of which it is the handle
  std::string member;  // what initialises it
  std::string variable;
};

/// A closure with what its own closures need to know of it.
struct read_closure {
  const send_site* site = nullptr;
  const clang::LambdaExpr* lambda = nullptr;
  const clang::ParmVarDecl* context = nullptr;
  const clang::ParmVarDecl* sender = nullptr;
  std::map<const clang::ValueDecl*, std::size_t> captured;  // its own captures
  std::map<const clang::ValueDecl*, meaning> known;
  closure plain;
};

/// Where a closure cannot become a message.
struct not_readable {
  clang::SourceLocation at;
  std::string thing;
  std::string reason;
};

/// Names of members of shoal::selector, which an unqualified name in a handler would find.
std::set<std::string> names_in_selector(const clang::ASTContext& context);

/// Whether `inner` is the class `outer`, or lies within it.
bool is_in_class(const clang::DeclContext* inner, const clang::CXXRecordDecl* outer);

struct closure_reader {
  const clang::ASTContext& context;
  const source_text& text;
  const findings& found;
  const clang::VarDecl* world;  // of the superstep
  bool is_actor;  // the closures get an object, not the world
  bool is_hclib;  // and so may hold addresses of the symmetric heap, or of their origin
  range statement;  // before which the class will stand, to the end of what is not declared there
  std::set<std::string> taken;  // names that mean something else in a selector
  std::vector<read_closure>& closures;  // those around first
  const clang::CXXRecordDecl* owner = nullptr;  // within which the class will stand
  std::size_t actor = 0;  // number of what gets the closures

  /// Adds the closure at `site`, sent by closure `parent` or by the main program. Throws not_readable.
  void add(const send_site& site, std::size_t parent);
  /// Finds the names in the body of closure `i`, once all closures are there. Throws not_readable.
  void find_uses(std::size_t i);
  /// The type of the object that closure `i` gets, as it says; empty if it does not. Throws not_readable.
  std::string context_type(std::size_t i) const;
  void find_effects(std::size_t i);
  /// Finds variables in the body of closure `i` that only its closures named, whose receivers know the value.
  void find_unused(std::size_t i);

private:
  meaning meaning_of(const clang::Expr* e, std::size_t parent) const;
  meaning meaning_of(const clang::ValueDecl* v, std::size_t parent) const;
  void read_parameters(read_closure& c) const;
  void read_captures(read_closure& c) const;
  void find_declaration(const send_site& site, const clang::ValueDecl& v, capture& its) const;
  void find_declarations_in(range value, read_closure& c) const;
  void check_body(const read_closure& c) const;
  /// Locals that would hide members of the selector, and names of which strings are made. Throws not_readable.
  void check_declarations(const read_closure& c) const;
  /// The type as it may be written before the superstep. Throws not_readable.
  std::string type_of(const clang::ValueDecl* v, clang::QualType type, clang::SourceLocation at) const;
  /// Whether nothing in the body, nor a copy in it, may change the variable.
  bool keeps_value(const clang::ValueDecl* v, range body) const;
  /// Whether the body reads the variable without a need for its address.
  bool is_only_number(const clang::ValueDecl* v, range body) const;
  std::size_t owner_of(const clang::LambdaExpr* scope, std::vector<const clang::LambdaExpr*>& inner) const;
  bool is_renamed(const clang::ValueDecl* v, use_kind kept, std::size_t index,
                  const std::vector<const clang::LambdaExpr*>& inner, std::vector<use>& uses) const;
  void use_name(read_closure& c, const reference& r, const std::vector<const clang::LambdaExpr*>& inner);
  void check_name(const read_closure& c, const clang::NamedDecl* d, const std::string& name, bool is_qualified,
                  clang::SourceLocation at) const;
  bool is_declared_inside(const clang::Decl* d) const;
  /// Whether a body may not name it: in a class, all that the class declares is known.
  bool is_unknown_in_body(const clang::Decl* d) const;
  /// Whether the class around has another meaning for the name.
  bool is_another_in_owner(const clang::NamedDecl* d) const;
  bool is_unchanged(const clang::VarDecl* v) const;
};

}  // namespace shoal::translate
