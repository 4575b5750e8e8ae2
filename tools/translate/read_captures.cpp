// What a closure captures, and what its receiver knows of it already.
#include <clang/AST/DeclTemplate.h>

#include "tools/translate/known_functions.hpp"
#include "tools/translate/read_closure.hpp"
#include "tools/translate/surroundings.hpp"
#include "tools/translate/words.hpp"

namespace shoal::translate {
namespace {

// The number of a PE, an index, a flag: what may be computed again as a number.
bool is_number(clang::QualType type) { return type->isIntegerType() && !type->isEnumeralType(); }

// As a literal, which has no sign of its own.
std::string digits_of(const llvm::APSInt& n) {
  llvm::SmallString<32> digits;
  n.toString(digits, 10);
  if (n.isUnsigned()) return digits.str().str() + (n.getActiveBits() > 63 ? "u" : "");
  if (!n.isMinSignedValue() || n.getBitWidth() < 64) return digits.str().str();
  return "-9223372036854775807 - 1";
}

std::string constant_of(const clang::Expr* e, const clang::ASTContext& context) {
  if (e->isValueDependent() || !is_number(e->getType()) || e->getType()->isAnyCharacterType()) return {};
  clang::Expr::EvalResult result;
  if (!e->EvaluateAsInt(result, context) || result.HasSideEffects) return {};
  if (e->getType()->isBooleanType()) return result.Val.getInt().getBoolValue() ? "true" : "false";
  return digits_of(result.Val.getInt());
}

// Whether the type holds every number of a PE, and is none of a flag or a letter.
bool holds_pe(clang::QualType type, const clang::ASTContext& context) {
  return is_number(type) && !type->isDependentType() && !type->isBooleanType() && !type->isAnyCharacterType() &&
         context.getTypeSize(type) >= 32;
}

// The variable of a per_pe whose handle this makes.
const clang::VarDecl* per_pe_of(const clang::Expr* e) {
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreUnlessSpelledInSource());
  if (call == nullptr) return nullptr;
  const member_call m = member_call_of(call);
  if (m.object == nullptr || m.name != "handle") return nullptr;
  const clang::VarDecl* const v = variable_of(m.object);
  return v != nullptr && is_type(v->getType(), "shoal::per_pe") && !v->getType()->isReferenceType() &&
                 v->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(v)
             ? v
             : nullptr;
}

// In a template, that of an initialiser is known only if it is written there; null: it is not.
clang::QualType type_of_capture(const clang::ValueDecl* v) {
  const clang::QualType type = v->getType().getNonReferenceType();
  if (!type->isDependentType() || type->getContainedAutoType() == nullptr) return type;
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(v);
  const clang::Expr* const init = variable == nullptr ? nullptr : variable->getInit();
  if (const auto* made = llvm::dyn_cast_or_null<clang::CXXUnresolvedConstructExpr>(init))
    return made->getTypeAsWritten();
  if (const auto* cast = llvm::dyn_cast_or_null<clang::ExplicitCastExpr>(init)) return cast->getTypeAsWritten();
  return {};
}

// What all PEs allocate together lies at one address.
bool is_symmetric(const clang::VarDecl* v) {
  const clang::Expr* e = v->getInit()->IgnoreUnlessSpelledInSource();
  while (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e)) {
    e = cast->getSubExpr()->IgnoreUnlessSpelledInSource();
  }
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenCasts());
  const clang::FunctionDecl* const f = call == nullptr ? nullptr : call->getDirectCallee();
  return v->hasLocalStorage() && v->getType()->isPointerType() && f != nullptr && allocates_for_all(f);
}

bool holds_address(clang::QualType type) {
  return type->isAnyPointerType() || type->isReferenceType() || type->isArrayType() || type->isMemberPointerType() ||
         type->isFunctionType();
}

bool is_lambda(clang::QualType type) {
  const clang::CXXRecordDecl* const r = type->getAsCXXRecordDecl();
  return r != nullptr && r->isLambda();
}

bool is_pe_id(clang::QualType type, const clang::ASTContext& context) {
  return type.getCanonicalType().getUnqualifiedType() == context.LongTy;
}

}  // namespace

meaning closure_reader::meaning_of(const clang::ValueDecl* v, std::size_t parent) const {
  if (parent != none) {
    const read_closure& p = closures[parent];
    if (const auto at = p.known.find(v); at != p.known.end()) return at->second;
  }
  meaning m;
  m.variable = v->getNameAsString() + "@" + std::to_string(v->getLocation().getRawEncoding());
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(v);
  if (variable == nullptr || variable->getInit() == nullptr) return m;
  if (!variable->getType().isConstQualified() && !(is_hclib && is_unchanged(variable))) return m;
  const std::string own = m.variable;
  m = meaning_of(variable->getInit(), parent);
  if (m.variable.empty()) m.variable = own;
  if (m.per_pe != nullptr && !is_declared_inside(variable)) m.member = v->getNameAsString();
  if (is_hclib) m.member = is_symmetric(variable) && !is_declared_inside(variable) ? v->getNameAsString() : "";
  // The initialiser may have another type than the variable.
  if (!m.constant.empty()) {
    const clang::APValue* const value = is_number(v->getType()) ? variable->evaluateValue() : nullptr;
    if (value != nullptr && value->isInt() && !v->getType()->isBooleanType() && !v->getType()->isAnyCharacterType()) {
      m.constant = digits_of(value->getInt());
    } else {
      m.constant.clear();
    }
  }
  if (!holds_pe(v->getType(), context)) {
    m.pes.clear();
    m.is_n_pes = false;
  }
  return m;
}

meaning closure_reader::meaning_of(const clang::Expr* e, std::size_t parent) const {
  meaning m;
  const clang::Expr* plain = e->IgnoreUnlessSpelledInSource();
  // Numbers of PEs have 31 bits.
  const auto* const cast = llvm::dyn_cast<clang::ExplicitCastExpr>(plain);
  if (cast != nullptr && holds_pe(cast->getType(), context)) plain = cast->getSubExpr()->IgnoreUnlessSpelledInSource();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(plain)) {
    if (!llvm::isa<clang::VarDecl, clang::BindingDecl>(name->getDecl())) return m;
    return meaning_of(name->getDecl(), parent);
  }
  m.constant = constant_of(e, context);
  m.per_pe = per_pe_of(plain);
  if (m.per_pe != nullptr) {
    if (is_declared_inside(m.per_pe)) {
      m.per_pe = nullptr;
    } else if (const std::optional<range> at = text.of(plain->getSourceRange())) {
      m.member = text.text(*at);
    }
  }
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(plain);
  if (call == nullptr || n_given(call) != 0) return m;
  if (is_hclib) {
    const clang::FunctionDecl* const f = call->getDirectCallee();
    const std::string name = f == nullptr ? "" : f->getNameAsString();
    if (name == "shmem_my_pe") m.pes.insert(parent == none ? -1 : static_cast<int>(closures[parent].plain.depth));
    if (name == "shmem_n_pes") m.is_n_pes = true;
    return m;
  }
  const member_call of = member_call_of(call);
  if (of.object == nullptr) return m;
  const clang::VarDecl* const object = variable_of(of.object);
  const bool is_in_main = parent == none && object == world;
  if (!is_in_main && (parent == none || is_actor || object == nullptr || object != closures[parent].context)) return m;
  if (of.name == "my_pe") m.pes.insert(parent == none ? -1 : static_cast<int>(closures[parent].plain.depth));
  if (of.name == "n_pes") m.is_n_pes = true;
  return m;
}

// Whether the variable keeps its first value, as far as its names tell.
bool closure_reader::is_unchanged(const clang::VarDecl* v) const {
  for (const reference& r : found.references) {
    if (r.name->getDecl() != v) continue;
    auto near = r.around.rbegin();
    while (near != r.around.rend() && llvm::isa<clang::ParenExpr>(*near)) ++near;
    const auto* const cast = near == r.around.rend() ? nullptr : llvm::dyn_cast<clang::ImplicitCastExpr>(*near);
    if (cast == nullptr || cast->getCastKind() != clang::CK_LValueToRValue) return false;
  }
  return v->hasLocalStorage();
}

void closure_reader::read_captures(read_closure& c) const {
  const int depth = static_cast<int>(c.plain.depth);
  const auto* const target = llvm::dyn_cast<clang::DeclRefExpr>(c.site->target->IgnoreParenImpCasts());
  bool have_effects = false;  // which might change the target before it is captured
  for (const clang::LambdaCapture& each : c.lambda->captures()) {
    have_effects |= c.lambda->isInitCapture(&each) &&
                    llvm::cast<clang::VarDecl>(each.getCapturedVar())->getInit()->HasSideEffects(context);
  }
  for (const clang::LambdaCapture& each : c.lambda->captures()) {
    if (each.capturesThis()) throw not_readable{each.getLocation(), "this", "it is an address"};
    if (!each.capturesVariable() || each.isPackExpansion())
      throw not_readable{each.getLocation(), "a capture", "it is of an unknown kind"};
    const clang::ValueDecl* const v = each.getCapturedVar();
    const std::string name = v->getNameAsString();
    if (each.getCaptureKind() == clang::LCK_ByRef)
      throw not_readable{each.getLocation(), name, "it is captured by reference"};
    const clang::QualType type = type_of_capture(v);
    if (type.isNull()) throw not_readable{each.getLocation(), name, "its type depends on template parameters"};
    const bool may_hold = is_hclib && type->isObjectType() && !type->isArrayType();
    if (holds_address(type) && !may_hold) throw not_readable{each.getLocation(), name, "it holds an address"};
    if (is_lambda(type)) throw not_readable{each.getLocation(), name, "its type has no name"};

    capture its;
    its.name = name;
    its.type = type_of(v, type, each.getLocation());
    if (!type->isDependentType()) {
      its.bytes = static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity());
      its.alignment = static_cast<std::size_t>(context.getTypeAlignInChars(type).getQuantity());
    }
    meaning m;
    if (c.lambda->isInitCapture(&each)) {
      const clang::Expr* const init = llvm::cast<clang::VarDecl>(v)->getInit();
      const std::optional<range> at = text.of(written(init));
      if (!at.has_value()) throw not_readable{each.getLocation(), name, "a macro makes its value"};
      its.value = *at;
      its.has_effects = init->HasSideEffects(context);
      m = meaning_of(init, c.plain.parent);
      if (!is_number(type) || type->isBooleanType() || type->isAnyCharacterType()) m.constant.clear();
      if (!holds_pe(type, context)) {
        m.pes.clear();
        m.is_n_pes = false;
      }
    } else {
      m = meaning_of(v, c.plain.parent);
      if (target != nullptr && target->getDecl() == v && holds_pe(type, context) && !have_effects) m.pes.insert(depth);
      if (c.plain.parent != none) {
        const read_closure& parent = closures[c.plain.parent];
        std::vector<const clang::LambdaExpr*> inner;
        owner_of(c.site->scope, inner);
        std::vector<use> ignored;
        if (const auto at = parent.captured.find(v);
            at != parent.captured.end() && is_renamed(v, use_kind::kept_capture, at->second, inner, ignored))
          its.of_parent = at->second;
      }
    }
    if (!keeps_value(v, c.plain.body)) m = {};
    if (m.variable.empty()) m.variable = name + "@" + std::to_string(v->getLocation().getRawEncoding());
    its.variable = m.variable;
    its.is_pe_id = is_pe_id(type, context);
    if (!m.constant.empty()) {
      its.known = knowledge::constant;
      its.text = m.constant;
    } else if (!m.member.empty()) {
      its.known = knowledge::member;
      its.text = m.member;
    } else if (!is_only_number(v, c.plain.body)) {
      its.known = knowledge::sent;
    } else if (m.pes.contains(depth - 1)) {
      its.known = knowledge::sender;
    } else if (m.pes.contains(depth)) {
      its.known = knowledge::own_pe;
    } else if (m.is_n_pes) {
      its.known = knowledge::n_pes;
    }
    if (c.plain.parent == none && its.value.is_empty()) find_declaration(*c.site, *v, its);
    const bool is_gone = c.plain.parent == none && !its.value.is_empty() && !is_needed(its);
    const range value = its.value;
    c.captured.emplace(v, c.plain.captures.size());
    c.known.emplace(v, std::move(m));
    c.plain.captures.push_back(std::move(its));
    if (is_gone) find_declarations_in(value, c);
  }
  for (const capture& its : c.plain.captures) {
    for (const capture& other : c.plain.captures) {
      if (has_word(other.type, its.name))
        throw not_readable{c.lambda->getBeginLoc(), its.name, "a type of a capture has the same name"};
    }
  }
}

// Of the variables that a value names which goes with its capture.
void closure_reader::find_declarations_in(range value, read_closure& c) const {
  std::set<const clang::ValueDecl*> named;
  for (const reference& r : found.references) {
    const std::optional<range> at = text.of_name(r.name->getLocation());
    if (!at.has_value() || at->begin < value.begin || at->begin >= value.end) continue;
    if (!named.insert(r.name->getDecl()).second) continue;
    capture of_no_use;
    of_no_use.name = r.name->getDecl()->getNameAsString();
    of_no_use.known = knowledge::constant;
    find_declaration(*c.site, *r.name->getDecl(), of_no_use);
    c.plain.captures.push_back(std::move(of_no_use));
  }
}

// A variable that nothing names any more would bring a warning.
void closure_reader::find_declaration(const send_site& site, const clang::ValueDecl& v, capture& its) const {
  const std::optional<range> whole = text.of(v.getSourceRange());
  const std::optional<range> name = text.of_name(v.getLocation());
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(&v);
  if (variable == nullptr || llvm::isa<clang::ParmVarDecl>(v) || variable->isInitCapture() || v.hasAttrs()) return;
  if (!whole || !name) return;
  its.declared = whole->begin;
  for (const reference& r : found.references) {
    const std::optional<range> at = text.of_name(r.name->getLocation());
    if (r.name->getDecl() == &v) its.references.push_back(at.has_value() ? at->begin : 0);
  }
  if (site.function == nullptr || !is_in_block(site.function->getBody(), &v)) return;
  const std::size_t end = text.next(whole->end);
  const std::string& all = text.whole();
  const std::size_t comma = text.text({whole->begin, name->begin}).find_last_of(',');
  if (comma == std::string::npos && all[end] == ';') {
    its.declaration = {whole->begin, end + 1};
  } else if (comma == std::string::npos && all[end] == ',') {  // the first of several
    its.declaration = {name->begin, text.next(end + 1)};
  } else if (text.next(whole->begin + comma + 1) == name->begin) {  // a later one
    its.declaration = {whole->begin + comma, whole->end};
  }
}

void closure_reader::read_parameters(read_closure& c) const {
  const clang::CXXMethodDecl* const call = c.lambda->getCallOperator();
  if (!c.lambda->getExplicitTemplateParameters().empty() || c.lambda->getTrailingRequiresClause() != nullptr)
    throw not_readable{c.lambda->getBeginLoc(), "the closure", "it has template parameters or a requires clause"};
  if (call->getNumParams() > 2 || call->isVariadic())
    throw not_readable{c.lambda->getBeginLoc(), "the closure", "it has more than two parameters"};
  if (call->getNumParams() > 0) {
    const clang::ParmVarDecl* const p = call->getParamDecl(0);
    const clang::QualType type = p->getType();
    const bool is_generic = type->isDependentType();
    if (!type->isReferenceType() || type.getNonReferenceType().isConstQualified())
      throw not_readable{p->getLocation(), p->getNameAsString(),
                         "the parameter is not a reference to what it may change"};
    if (!is_actor && !is_generic && !is_type(type, "shoal::world"))
      throw not_readable{p->getLocation(), p->getNameAsString(), "the parameter is not the world"};
    c.context = p;
    c.plain.context_name = p->getNameAsString();
  }
  if (call->getNumParams() > 1) {
    const clang::ParmVarDecl* const p = call->getParamDecl(1);
    if (!p->getType()->isDependentType() && !is_pe_id(p->getType(), context))
      throw not_readable{p->getLocation(), p->getNameAsString(), "the sender's type is not shoal::pe_id"};
    if (p->getType()->isReferenceType())
      throw not_readable{p->getLocation(), p->getNameAsString(), "the sender is taken by reference"};
    c.sender = p;
    c.plain.sender_name = p->getNameAsString();
    meaning m;
    m.pes.insert(static_cast<int>(c.plain.depth) - 1);
    m.variable = p->getNameAsString() + "@" + std::to_string(p->getLocation().getRawEncoding());
    if (keeps_value(p, c.plain.body)) c.known.emplace(p, std::move(m));
  }
}

std::string closure_reader::context_type(std::size_t i) const {
  const clang::ParmVarDecl* const p = closures[i].context;
  if (p == nullptr || p->getType()->isDependentType() || p->getTypeSourceInfo() == nullptr) return {};
  type_of(p, p->getType().getNonReferenceType(), p->getLocation());
  const std::optional<range> written = text.of(p->getTypeSourceInfo()->getTypeLoc().getSourceRange());
  if (!written.has_value()) return {};
  const std::string type = text.text(*written);
  return type.substr(0, type.find_last_not_of(" &") + 1);
}

}  // namespace shoal::translate
