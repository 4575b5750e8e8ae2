#include "tools/translate/visitor.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

namespace shoal::translate {

class visitor::traversal : public clang::RecursiveASTVisitor<traversal> {
public:
  using base = clang::RecursiveASTVisitor<traversal>;

  explicit traversal(visitor& its) : its_(its) {}

  bool TraverseDecl(clang::Decl* d) {
    if (d != nullptr) its_.traverse_declaration(d);
    return true;
  }
  bool TraverseStmt(clang::Stmt* s) {
    if (s != nullptr) its_.traverse_statement(s);
    return true;
  }
  bool TraverseTypeLoc(clang::TypeLoc l) {
    if (!l.isNull()) its_.traverse_type_as_written(l);
    return true;
  }
  bool VisitDecl(clang::Decl* d) {
    its_.visit_declaration(d);
    return true;
  }
  bool VisitStmt(clang::Stmt* s) {
    its_.visit_statement(s);
    return true;
  }
  bool VisitType(clang::Type* t) {
    its_.visit_type(t);
    return true;
  }
  bool VisitTypeLoc(clang::TypeLoc l) {
    its_.visit_type_as_written(l);
    return true;
  }

private:
  visitor& its_;
};

void visitor::traverse_type(clang::QualType type) { traversal(*this).TraverseType(type); }

void visitor::traverse_argument(const clang::TemplateArgument& argument) {
  traversal(*this).TraverseTemplateArgument(argument);
}

void visitor::below(clang::Decl* d) { traversal(*this).traversal::base::TraverseDecl(d); }

void visitor::below(clang::Stmt* s) { traversal(*this).traversal::base::TraverseStmt(s); }

void visitor::below(clang::TypeLoc l) { traversal(*this).traversal::base::TraverseTypeLoc(l); }

}  // namespace shoal::translate
