#include "tools/translate/remote_range.hpp"

#include "tools/translate/known_functions.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

const Expr* address_of(const Expr* e) {
  const auto* const u = llvm::dyn_cast<clang::UnaryOperator>(e);
  return u != nullptr && u->getOpcode() == clang::UO_AddrOf ? u->getSubExpr() : nullptr;
}

// The elements of an array, behind a pointer, or in a container or span; null: it has none.
clang::QualType element_in(clang::QualType type) {
  if (const clang::ArrayType* const a = type->getAsArrayTypeUnsafe()) return a->getElementType();
  if (type->isPointerType()) return type->getPointeeType();
  if (!is_container(type) && !is_span(type)) return {};
  const auto* const held =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  return held == nullptr ? clang::QualType() : held->getTemplateArgs()[0].getAsType();
}

bool is_same(clang::QualType a, clang::QualType b) {
  return !a.isNull() && !b.isNull() &&
         a.getCanonicalType().getUnqualifiedType() == b.getCanonicalType().getUnqualifiedType();
}

std::optional<std::uint64_t> constant(const Expr* e, const clang::ASTContext& context) {
  Expr::EvalResult value;
  if (e->isValueDependent() || !e->EvaluateAsInt(value, context) || value.Val.getInt().isNegative()) return {};
  return value.Val.getInt().getZExtValue();
}

// `sizeof(T)`, or sizeof of an expression of this type.
bool is_size_of(const Expr* e, clang::QualType element) {
  const auto* const size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(without_casts(e));
  return size != nullptr && size->getKind() == clang::UETT_SizeOf && is_same(size->getTypeOfArgument(), element);
}

// Casts of integers to types that hold more.
const Expr* without_widening(const Expr* e, const clang::ASTContext& context) {
  for (;;) {
    e = e->IgnoreParens();
    const auto* const c = llvm::dyn_cast<clang::CastExpr>(e);
    const bool keeps = c != nullptr && c->getType()->isIntegerType() && c->getSubExpr()->getType()->isIntegerType() &&
                       context.getTypeSize(c->getType()) >= context.getTypeSize(c->getSubExpr()->getType());
    if (!keeps) return e;
    e = c->getSubExpr();
  }
}

// The same for all families, once their arguments are known. `bytes`: count is given in bytes.
remote_call range_call(remote_access a, clang::QualType element, const Expr* local, const Expr* count, bool is_in_bytes,
                       const clang::ASTContext& context) {
  if (element.isNull() || !element->isArithmeticType())
    return {std::nullopt, "only elements that are numbers are translated, if they are several"};
  const std::optional<local_place> place = local_place_of(local);
  if (!place.has_value() || place->element.isNull())
    return {std::nullopt, "its elements on this PE need the name of an array, and a subscript if any"};
  if (element.isVolatileQualified() || place->element.isVolatileQualified())
    return {std::nullopt, "its elements are volatile"};
  if (!is_same(element, place->element)) return {std::nullopt, "source and destination have elements of other types"};
  a.element = element.getUnqualifiedType();
  a.local = local;
  a.count = count;
  a.known_count = constant(count, context);
  if (is_in_bytes) {
    const std::optional<element_count> elements = elements_in_bytes(count, a.element, context);
    if (!elements.has_value())
      return {std::nullopt, "its size is not visibly a number of elements: write n * sizeof of an element"};
    a.is_number = elements->factor == nullptr;
    if (!a.is_number) a.count = elements->factor;
    a.known_count = elements->known;
  }
  return {a, {}};
}

// How many elements a type has; nothing: it does not tell.
std::optional<std::uint64_t> extent_of(clang::QualType type, const clang::ASTContext& context) {
  if (const clang::ConstantArrayType* const a = context.getAsConstantArrayType(type))
    return a->getSize().getZExtValue();
  const auto* const held =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  if (held == nullptr || !is_container(type) || held->getName() != "array") return std::nullopt;
  return held->getTemplateArgs()[1].getAsIntegral().getZExtValue();
}

}  // namespace

// Without casts that keep the type of what it points to: an offset counts elements of that type.
const Expr* same_elements(const Expr* e) {
  const auto element = [](clang::QualType type) {
    if (const clang::ArrayType* const a = type->getAsArrayTypeUnsafe()) type = a->getElementType();
    else if (type->isPointerType()) type = type->getPointeeType();
    return type.getCanonicalType().getUnqualifiedType();
  };
  for (;;) {
    e = e->IgnoreParens();
    const auto* const c = llvm::dyn_cast<clang::CastExpr>(e);
    if (c == nullptr || element(c->getType()) != element(c->getSubExpr()->getType())) return e;
    e = c->getSubExpr();
  }
}

array_place place_of(const Expr* address) {
  const Expr* const e = without_casts(address);
  if (const Expr* const of = address_of(e)) {
    if (const auto* s = llvm::dyn_cast<clang::ArraySubscriptExpr>(without_casts(of)))
      return {same_elements(s->getBase()), s->getIdx()};
    return {e, nullptr};
  }
  const auto* const sum = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (sum != nullptr && sum->getOpcode() == clang::BO_Add && sum->getLHS()->getType()->isPointerType())
    return {same_elements(sum->getLHS()), sum->getRHS()};
  return {e, nullptr};
}

clang::QualType element_of_object(const Expr* object) {
  if (const Expr* const of = address_of(object)) {
    const clang::QualType type = of->getType();
    if (const clang::ArrayType* const a = type->getAsArrayTypeUnsafe()) return a->getElementType();
    return type;
  }
  const clang::QualType type = object->getType();
  if (const clang::ArrayType* const a = type->getAsArrayTypeUnsafe()) return a->getElementType();
  return type->isPointerType() ? type->getPointeeType() : clang::QualType();
}

std::optional<local_place> local_place_of(const Expr* address) {
  const Expr* const e = without_casts(address);
  local_place found;
  if (const Expr* const of = address_of(e)) {
    const Expr* const inner = without_casts(of);
    const auto* const o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(inner);
    if (const auto* s = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner)) {
      found = {s->getBase(), s->getIdx(), false, {}};
    } else if (o != nullptr && o->getOperator() == clang::OO_Subscript && o->getNumArgs() == 2) {
      found = {o->getArg(0), o->getArg(1), false, {}};
    } else if (variable_of(inner) != nullptr) {
      found = {inner, nullptr, !inner->getType()->isArrayType(), {}};
    } else {
      return std::nullopt;
    }
  } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (sum->getOpcode() != clang::BO_Add || !sum->getLHS()->getType()->isPointerType()) return std::nullopt;
    found = {sum->getLHS(), sum->getRHS(), false, {}};
  } else {
    found = {e, nullptr, false, {}};
  }
  const auto* const data = llvm::dyn_cast<clang::CXXMemberCallExpr>(without_casts(found.base));
  if (data != nullptr && data->getMethodDecl() != nullptr && data->getMethodDecl()->getNameAsString() == "data")
    found.base = data->getImplicitObjectArgument();
  const clang::QualType type = same_elements(found.base)->getType();
  found.element = found.is_variable ? type : element_in(type);
  return found;
}

std::optional<element_count> elements_in_bytes(const Expr* bytes, clang::QualType element,
                                               const clang::ASTContext& context) {
  const auto size = static_cast<std::uint64_t>(context.getTypeSizeInChars(element).getQuantity());
  const Expr* const e = without_widening(bytes, context);
  const auto* const product = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (product != nullptr && product->getOpcode() == clang::BO_Mul) {
    const Expr* const factor = is_size_of(product->getRHS(), element)   ? product->getLHS()
                               : is_size_of(product->getLHS(), element) ? product->getRHS()
                                                                        : nullptr;
    if (factor != nullptr) return element_count{factor->IgnoreImpCasts(), constant(factor, context)};
  }
  const std::optional<std::uint64_t> known = constant(e, context);
  if (!known.has_value() || *known % size != 0) return std::nullopt;
  return element_count{nullptr, *known / size};
}

remote_call shmem_range_call(const clang::CallExpr* call, const std::string& verb, const clang::ASTContext& context) {
  if (verb.starts_with("i")) return {std::nullopt, "access with strides is not translated; write a loop over p or g"};
  if (verb.ends_with("_nbi")) return {std::nullopt, "access that quiet completes is not translated"};
  if (verb.ends_with("_signal")) return {std::nullopt, "access with a signal is not translated"};
  if (call->getNumArgs() != 4) return {std::nullopt, "its arguments are not those of OpenSHMEM"};
  const bool is_get = verb.starts_with("get");
  const Expr* const symmetric = call->getArg(is_get ? 1 : 0);
  const array_place place = place_of(symmetric);
  remote_access a;
  a.whole = call;
  a.operation = is_get ? remote_operation::get : remote_operation::put;
  a.object = place.object;
  a.index = place.index;
  a.pe = call->getArg(3);
  const clang::QualType element = element_of_object(place.object);
  const clang::QualType given = call->getDirectCallee()->getParamDecl(is_get ? 1 : 0)->getType()->getPointeeType();
  if (!given->isVoidType() && !is_same(given, element)) return {std::nullopt, "the array has elements of another type"};
  const std::string bits = verb.substr(3);  // "", "mem", "64"
  const bool has_bits = !bits.empty() && bits != "mem";
  if (has_bits && !element.isNull() && std::to_string(context.getTypeSize(element)) != bits)
    return {std::nullopt, "the array has elements of another size"};
  return range_call(a, element, call->getArg(is_get ? 0 : 1), call->getArg(2), bits == "mem", context);
}

remote_call getput_range_call(const clang::CallExpr* call, bool is_get, const clang::ASTContext& context) {
  // lgp_memput(array, size of an element, source, bytes, index); lgp_memget(destination, array, size, bytes, index)
  if (call->getNumArgs() != 5) return {};
  remote_access a;
  a.whole = call;
  a.family = access_family::getput;
  a.operation = is_get ? remote_operation::get : remote_operation::put;
  a.object = without_casts(call->getArg(is_get ? 1 : 0));
  a.index = call->getArg(4);
  return range_call(a, element_of_object(a.object), call->getArg(is_get ? 0 : 2), call->getArg(3), true, context);
}

remote_call world_range_call(remote_access a, const Expr* span, const clang::ASTContext& context) {
  const Expr* e = span->IgnoreUnlessSpelledInSource()->IgnoreParens();
  if (const auto* c = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(e)) e = c->getSubExpr()->IgnoreImplicit();
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e); made != nullptr && is_span(made->getType())) {
    const bool is_address =
        made->getNumArgs() == 2 && (made->getArg(0)->getType()->isPointerType() ||
                                    made->getArg(0)->IgnoreParenImpCasts()->getType()->isArrayType());
    if (is_address) return range_call(a, a.element, made->getArg(0), made->getArg(1), false, context);
    if (made->getNumArgs() == 1) e = made->getArg(0)->IgnoreUnlessSpelledInSource()->IgnoreParens();
  }
  const clang::QualType type = e->getType();
  if (!type->isArrayType() && !is_container(type) && !is_span(type))
    return {std::nullopt, "its elements on this PE need a name: write std::span(address, n), or a container"};
  remote_call found = range_call(a, a.element, e, e, false, context);
  if (!found.access.has_value()) return found;
  found.access->known_count = extent_of(type, context);
  found.access->is_number = found.access->known_count.has_value();
  found.access->is_size = !found.access->is_number;
  return found;
}

}  // namespace shoal::translate
