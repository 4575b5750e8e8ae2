#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/TypeLoc.h>

namespace shoal::translate {

/// Goes through a program as it is written: no instances of templates, nothing that the compiler adds. All that look for
/// something derive from it, since each class derived from clang::RecursiveASTVisitor itself compiles for 15 seconds.
class visitor {
public:
  // Each goes through what it is given and all below. An override calls `below` where it goes on.

  virtual void traverse_declaration(clang::Decl* d) { below(d); }
  virtual void traverse_statement(clang::Stmt* s) { below(s); }
  virtual void traverse_type_as_written(clang::TypeLoc l) { below(l); }
  void traverse_type(clang::QualType type);
  void traverse_argument(const clang::TemplateArgument& argument);

protected:
  ~visitor() = default;
  void below(clang::Decl* d);
  void below(clang::Stmt* s);
  void below(clang::TypeLoc l);

  // What lies on the way, before what is below it.

  virtual void visit_declaration(clang::Decl*) {}
  virtual void visit_statement(clang::Stmt*) {}
  virtual void visit_type(clang::Type*) {}
  virtual void visit_type_as_written(clang::TypeLoc) {}

private:
  class traversal;
};

}  // namespace shoal::translate
