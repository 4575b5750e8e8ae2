/// Finds in a syntax tree what matters to the translator: sends, supersteps, and every name with the lambda around it.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace shoal::translate {

/// From the outermost statement of the function to the one in question.
using path = std::vector<const clang::Stmt*>;

/// A member call by name, which in templates may be unresolved.
struct member_call {
  const clang::Expr* object = nullptr;  // null: not a member call
  std::string name;
};
member_call member_call_of(const clang::CallExpr* call);

/// The variable that an expression names; null if it is more than a name.
const clang::VarDecl* variable_of(const clang::Expr* e);

/// Whether this is `name`, by value or by reference. A template has the name without arguments.
bool is_type(clang::QualType type, const char* name);

/// The member call whose object is `e`, which stands in `around`; null if it is used otherwise.
const clang::CallExpr* call_on(const clang::Expr* e, const path& around);

/// The lambda that an argument is; null if it is not one.
const clang::LambdaExpr* lambda_of(const clang::Expr* e);

/// How many arguments the program gives.
unsigned n_given(const clang::CallExpr* call);

struct send_site {
  const clang::CallExpr* call;
  const clang::Expr* mailbox;  // of HClib; null: the only one, or the closures of Shoal
  const clang::Expr* target;
  const clang::Expr* receiver;
  const clang::LambdaExpr* lambda;
  const clang::LambdaExpr* scope;  // innermost around; null: the function
  path around;
  const clang::FunctionDecl* function;
};

/// A call of send or try_send of a lambda_actor, with a lambda or with an object that has a call operator.
struct actor_send {
  send_site site;  // its lambda is null for an object
  const clang::Expr* given;
  bool is_tried;
};

/// A member that is a lambda_actor, or a reference to one, by name.
struct member_use {
  const clang::MemberExpr* name;
  path around;
};

struct finish_site {
  const clang::CallExpr* call;
  const clang::VarDecl* world;
  const clang::LambdaExpr* body;  // null: something else is run
  path around;
  const clang::FunctionDecl* function;
};

struct reference {
  const clang::DeclRefExpr* name;
  const clang::LambdaExpr* scope;  // innermost; null: the function
  path around;
  const clang::FunctionDecl* function;
};

/// A world that is a member or a result, or a pointer to one.
struct unnamed_world {
  const clang::Expr* world;
  path around;
};

/// A type, or functions of which overload resolution chooses later, by name.
struct written_name {
  const clang::NamedDecl* type;  // null: functions
  std::string name;
  clang::SourceLocation at;
  bool is_qualified;
};

struct branch {
  const clang::IfStmt* condition;
  path around;
};

struct loop_site {
  const clang::Stmt* loop;
  path around;
  const clang::FunctionDecl* function;
};

struct findings {
  std::vector<send_site> sends;
  std::vector<actor_send> actor_sends;
  std::vector<member_use> members;
  std::set<std::string> dependent_members;  // that templates name
  std::vector<const clang::Expr*> lists;  // that make aggregates
  std::vector<const clang::DecompositionDecl*> decompositions;
  std::vector<finish_site> finishes;
  std::vector<reference> references;
  std::vector<written_name> names;
  std::vector<unnamed_world> worlds;
  std::vector<const clang::Decl*> usings;  // using directives and the like within functions
  std::vector<path> escapes;  // return, break, continue, goto
  std::vector<branch> branches;
  std::vector<loop_site> loops;  // the outer ones before those within
  std::set<const clang::Decl*> joined;  // declared together with others
  std::map<const clang::LambdaExpr*, path> lambdas;  // what is around each
  std::map<const clang::LambdaExpr*, const clang::LambdaExpr*> outer;  // the lambda around each, or null
  std::map<const clang::LambdaExpr*, const clang::FunctionDecl*> functions;
};

/// An expression within parentheses and casts that nobody wrote; within all casts.
inline const clang::Expr* plain(const clang::Expr* e) { return e->IgnoreParenImpCasts(); }
inline const clang::Expr* without_casts(const clang::Expr* e) { return e->IgnoreParenCasts(); }

/// Calls `f` for a statement and all that are in it, lambdas' bodies among them, but not what a range-based loop implies.
void for_each_statement(const clang::Stmt* s, const std::function<void(const clang::Stmt*)>& f);

/// Of the main file alone.
findings walk(clang::ASTContext& context);

}  // namespace shoal::translate
