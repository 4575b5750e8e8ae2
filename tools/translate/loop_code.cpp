#include "tools/translate/loop_code.hpp"

#include <algorithm>
#include <utility>

#include "tools/translate/visitor.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {

using clang::Expr;
using clang::Stmt;

namespace {

struct names_in_type final : visitor {
  void visit_statement(Stmt* s) override {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s)) all.push_back(name);
  }
  std::vector<const clang::DeclRefExpr*> all;
};

}  // namespace

void add_text(pieces& to, std::string text) {
  if (!text.empty()) to.push_back({piece::kind::text, std::move(text), none});
}

void add_pieces(pieces& to, pieces more) { to.insert(to.end(), more.begin(), more.end()); }

range loop_code::range_of(const Stmt* s) const {
  const std::optional<range> r = text_.of(s->getSourceRange());
  if (!r.has_value()) refuse(s, "the loop", "a macro makes a part of it");
  return *r;
}

range loop_code::statement_range(const Stmt* s) const {
  const std::optional<range> r = text_.of_statement(s);
  if (!r.has_value()) refuse(s, "the loop", "a macro makes a part of it");
  return *r;
}

pieces loop_code::code(const Stmt* s, range r, std::size_t segment) {
  std::vector<replaced_site> sites;
  find_sites(s, segment, sites);
  return joined(r, sites);
}

pieces loop_code::joined(range r, std::vector<replaced_site>& sites) const {
  std::ranges::stable_sort(sites, {}, [](const replaced_site& x) { return x.at.begin; });
  pieces all;
  std::size_t at = r.begin;
  for (replaced_site& each : sites) {
    if (each.at.begin < at) continue;
    add_text(all, text_.text({at, each.at.begin}));
    add_pieces(all, std::move(each.text));
    at = each.at.end;
  }
  add_text(all, text_.text({at, r.end}));
  return all;
}

void loop_code::find_sites(const Stmt* s, std::size_t segment, std::vector<replaced_site>& sites) {
  if (s == nullptr) return;
  if (const auto obtained = obtained_.find(s); obtained != obtained_.end()) {
    use(obtained->second, segment);
    sites.push_back({range_of(s), {{piece::kind::variable, {}, obtained->second}}});
    return;
  }
  if (const auto* c = llvm::dyn_cast<clang::CallExpr>(s); c != nullptr && reader_.is_own_pe(c)) {
    if (segment != none) into_.steps[segment].names_own_pe = true;
    sites.push_back({range_of(s), {{piece::kind::own_pe, text_.text(range_of(s)), none}}});
    return;
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
    const auto* const v = llvm::dyn_cast<clang::ValueDecl>(name->getDecl());
    const auto* const variable_decl = llvm::dyn_cast<clang::VarDecl>(v);
    const bool is_local =
        (variable_decl != nullptr && variable_decl->isLocalVarDeclOrParm() && !variable_decl->isStaticLocal()) ||
        llvm::isa<clang::BindingDecl>(v);
    if (!is_local) return;
    const std::optional<range> at = text_.of_name(name->getLocation());
    if (!at.has_value()) refuse(s, v->getNameAsString(), "a macro names it");
    use(variables_.of(v), segment);
    sites.push_back({*at, {{piece::kind::variable, {}, variables_.of(v)}}});
    return;
  }
  if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* each : d->decls()) {
      if (const auto* v = llvm::dyn_cast<clang::VarDecl>(each)) {
        find_in_type(v, segment, sites);
        declare(variables_.of(v), segment);
        if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(v)) {
          for (const clang::BindingDecl* b : parts->bindings()) declare(variables_.of(b), segment);
        }
        find_sites(v->getInit(), segment, sites);
      }
    }
    return;
  }
  for (const Stmt* each : s->children()) find_sites(each, segment, sites);
}

// Constants of the function that the type of a variable names. Handlers name them, too, unless something refers to one,
// so that it has to be a member.
void loop_code::find_in_type(const clang::VarDecl* v, std::size_t segment, std::vector<replaced_site>& sites) {
  if (v->getTypeSourceInfo() == nullptr || (segment == none && v->getType()->isArrayType())) return;
  names_in_type names;
  names.traverse_type_as_written(v->getTypeSourceInfo()->getTypeLoc());
  for (const clang::DeclRefExpr* name : names.all) {
    const auto* const named = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (named == nullptr || !named->isLocalVarDeclOrParm()) continue;
    Expr::EvalResult value;
    if (scope_.declared.contains(named) || !name->EvaluateAsInt(value, context_))
      refuse(name, named->getNameAsString(), "a type names it; declare a constant before the loop");
    if (segment == none) continue;
    if (!is_referred_to(named)) {
      into_.variables[variables_.of(named)].is_in_types = true;
      continue;
    }
    llvm::SmallString<32> number;
    value.Val.getInt().toString(number);
    sites.push_back({range_of(name), {{piece::kind::text, number.str().str(), none}}});
  }
}

// Whether code of the loop needs more of a constant than its value.
bool loop_code::is_referred_to(const clang::VarDecl* constant) const {
  bool is_found = false;
  for_each_statement(scope_.statement, [&](const Stmt* s) {
    const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(s);
    is_found |= name != nullptr && name->getDecl() == constant && name->isNonOdrUse() == clang::NOUR_None;
  });
  return is_found;
}

void loop_code::use(std::size_t v, std::size_t segment) {
  if (segment != none && !llvm::is_contained(into_.steps[segment].uses, v)) into_.steps[segment].uses.push_back(v);
}

void loop_code::declare(std::size_t v, std::size_t segment) {
  if (segment != none) into_.steps[segment].declares.push_back(v);
}

const remote_access* loop_code::pending_in(const Stmt* s) {
  if (s == nullptr || obtained_.contains(s)) return nullptr;
  if (const auto* d = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* each : d->decls()) {
      const auto* const v = llvm::dyn_cast<clang::VarDecl>(each);
      if (v == nullptr || v->getInit() == nullptr) continue;
      if (const remote_access* found = pending_in(v->getInit())) {
        if (!d->isSingleDecl()) refuse(s, v->getNameAsString(), "declare it alone");
        return found;
      }
    }
    return nullptr;
  }
  if (llvm::isa<clang::LambdaExpr>(s)) return nullptr;
  for (const Stmt* each : s->children()) {
    const remote_access* const found = pending_in(each);
    if (found == nullptr) continue;
    const auto* const c = llvm::dyn_cast<clang::ConditionalOperator>(s);
    const auto* const b = llvm::dyn_cast<clang::BinaryOperator>(s);
    const bool may_be_left_out = (c != nullptr && each != c->getCond()) ||
                                 (b != nullptr && b->isLogicalOp() && each != b->getLHS()) ||
                                 (b != nullptr && b->getOpcode() == clang::BO_Comma);
    if (may_be_left_out)
      refuse(found->whole, text_.text(range_of(found->whole)), "it may not be evaluated; use an if statement");
    return found;
  }
  const auto* const e = llvm::dyn_cast<Expr>(s);
  if (e == nullptr) return nullptr;
  remote_call found = remote_call_of(e, context_);
  if (!found.refusal.empty()) refuse(e, text_.text(range_of(e)), found.refusal);
  if (!found.access.has_value()) return nullptr;
  pending_ = std::move(*found.access);
  return &pending_;
}

range loop_code::argument_range(const Expr* e) const {
  const std::optional<range> r = text_.of(written(e->IgnoreParenImpCasts()));
  if (r.has_value()) return *r;
  const std::optional<range> spelled = text_.of(e->IgnoreParenCasts()->getSourceRange());
  if (!spelled.has_value()) refuse(e, "the loop", "a macro makes a part of it");
  return *spelled;
}

void loop_code::look(const Stmt* s, std::size_t segment) { reader_.look(s, segment, made()); }

void loop_code::look_at_elements(const remote_access& a, touch::kind how, std::size_t segment) {
  reader_.look_at_elements(a, how, segment, made());
}

std::set<const Stmt*> loop_code::made() const {
  std::set<const Stmt*> all;
  for (const auto& [access, variable] : obtained_) all.insert(access);
  return all;
}

}  // namespace shoal::translate
