#include "tools/translate/remote_access.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Regex.h>

#include <set>

#include "tools/translate/known_functions.hpp"
#include "tools/translate/remote_range.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

// The operation that a name of OpenSHMEM 1.5 or an older one stands for: with its type, without it, of a context.
struct shmem_name {
  std::string verb;
  bool has_context = false;
};
std::optional<shmem_name> parse_shmem(const std::string& name) {
  static const llvm::Regex form(
      "^shmem_(ctx_)?((char|schar|short|int|long|longlong|uchar|ushort|uint|ulong|ulonglong|float|double|longdouble|"
      "u?int(8|16|32|64)|size|ptrdiff)_)?"
      "(p|g|put|get|put_nbi|get_nbi|iput|iget|put_signal|putmem|getmem|putmem_nbi|getmem_nbi|"
      "(put|get|iput|iget)(8|16|32|64|128)(_nbi)?|"
      "atomic_(fetch_)?(add|inc|and|or|xor)(_nbi)?|atomic_fetch(_nbi)?|atomic_set|atomic_swap(_nbi)?|"
      "atomic_compare_swap(_nbi)?|add|inc|fadd|finc|swap|cswap|fetch|set)$");
  constexpr std::size_t i_context = 1, i_verb = 5;
  llvm::SmallVector<llvm::StringRef> parts;
  if (!form.match(name, &parts)) return std::nullopt;
  return shmem_name{parts[i_verb].str(), !parts[i_context].empty()};
}

remote_call shmem_call(const clang::CallExpr* call, const shmem_name& name, const clang::ASTContext& context) {
  using enum remote_operation;
  struct verb {
    remote_operation operation;
    bool has_result;
    bool has_value;
  };
  static const std::map<std::string, verb> verbs = {{"p", {put, false, true}},
                                                    {"g", {get, true, false}},
                                                    {"atomic_add", {add, false, true}},
                                                    {"atomic_inc", {increment, false, false}},
                                                    {"atomic_and", {bit_and, false, true}},
                                                    {"atomic_or", {bit_or, false, true}},
                                                    {"atomic_xor", {bit_xor, false, true}},
                                                    {"atomic_set", {put, false, true}},
                                                    {"atomic_fetch", {get, true, false}},
                                                    {"atomic_fetch_add", {add, true, true}},
                                                    {"atomic_fetch_inc", {increment, true, false}},
                                                    {"atomic_fetch_and", {bit_and, true, true}},
                                                    {"atomic_fetch_or", {bit_or, true, true}},
                                                    {"atomic_fetch_xor", {bit_xor, true, true}},
                                                    {"atomic_swap", {swap, true, true}},
                                                    {"atomic_compare_swap", {compare_swap, true, true}},
                                                    {"add", {add, false, true}},
                                                    {"inc", {increment, false, false}},
                                                    {"fadd", {add, true, true}},
                                                    {"finc", {increment, true, false}},
                                                    {"swap", {swap, true, true}},
                                                    {"cswap", {compare_swap, true, true}},
                                                    {"fetch", {get, true, false}},
                                                    {"set", {put, false, true}}};
  if (name.has_context) return {std::nullopt, "access by a context is not translated"};
  const auto found = verbs.find(name.verb);
  if (found == verbs.end()) return shmem_range_call(call, name.verb, context);
  const bool compares = found->second.operation == compare_swap;
  const unsigned n = 2 + (found->second.has_value ? 1 : 0) + (compares ? 1 : 0);
  if (call->getNumArgs() != n) return {std::nullopt, "its arguments are not those of OpenSHMEM"};
  remote_access a;
  a.whole = call;
  a.operation = found->second.operation;
  a.has_result = found->second.has_result;
  const array_place place = place_of(call->getArg(0));
  a.object = place.object;
  a.index = place.index;
  if (compares) a.expected = call->getArg(1);
  if (found->second.has_value) a.value = call->getArg(n - 2);
  a.pe = call->getArg(n - 1);
  a.element = found->second.has_result ? call->getType() : call->getArg(0)->getType()->getPointeeType();
  a.element = a.element.getUnqualifiedType();
  return {a, {}};
}

remote_call getput_call(const clang::CallExpr* call, const std::string& name) {
  using enum remote_operation;
  struct verb {
    remote_operation operation;
    bool has_result;
    int value;  // argument
  };
  static const std::map<std::string, verb> verbs = {
      {"shoal_lgp_put_int64", {put, false, 2}},     {"shoal_lgp_get_int64", {get, true, -1}},
      {"shoal_lgp_put_double", {put, false, 2}},    {"shoal_lgp_get_double", {get, true, -1}},
      {"lgp_atomic_add", {add, false, 2}},          {"lgp_atomic_add_async", {add, false, 2}},
      {"lgp_fetch_and_inc", {increment, true, -1}}, {"lgp_fetch_and_add", {add, true, 2}},
      {"lgp_cmp_and_swap", {compare_swap, true, 3}}};
  const auto found = verbs.find(name);
  if (found == verbs.end()) return {};
  const verb& v = found->second;
  remote_access a;
  a.whole = call;
  a.family = access_family::getput;
  a.operation = v.operation;
  a.has_result = v.has_result;
  a.object = without_casts(call->getArg(0));
  a.index = call->getArg(1);
  if (v.operation == compare_swap) a.expected = call->getArg(2);
  if (v.value >= 0) a.value = call->getArg(static_cast<unsigned>(v.value));
  a.element = v.has_result ? call->getType() : call->getArg(0)->getType()->getPointeeType().getUnqualifiedType();
  return {a, {}};
}

remote_call world_call(const clang::CallExpr* call, const member_call& m, const clang::ASTContext& context) {
  using enum remote_operation;
  static const std::map<std::string, remote_operation> verbs = {
      {"get", get},         {"put", put},           {"fetch_add", add}, {"fetch_and", bit_and},
      {"fetch_or", bit_or}, {"fetch_xor", bit_xor}, {"exchange", swap}, {"compare_exchange", compare_swap}};
  if (m.name == "start_get" || m.name == "start_put" || m.name == "start_add")
    return {std::nullopt, "access that is started and completed later is not translated"};
  const auto found = verbs.find(m.name);
  if (found == verbs.end() || n_given(call) < 3) return {};
  const clang::Expr* const symmetric = call->getArg(0)->IgnoreUnlessSpelledInSource();
  const auto* const type = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      symmetric->getType().getNonReferenceType()->getAsCXXRecordDecl());
  if (type == nullptr || type->getQualifiedNameAsString() != "shoal::symmetric") return {};
  const auto is_span = [](const clang::Expr* e) { return is_type(e->getType(), "std::span"); };
  const bool is_several =
      n_given(call) == 4 && (found->second == get || found->second == put) && is_span(call->getArg(2));
  const unsigned n = found->second == compare_swap ? 5 : found->second == get && !is_several ? 3 : 4;
  if (n_given(call) != n) return {std::nullopt, "its arguments are not those of a world"};
  remote_access a;
  a.whole = call;
  a.family = access_family::world;
  a.operation = found->second;
  a.has_result = found->second != put && !is_several;
  a.world = m.object;
  a.object = symmetric;
  a.index = call->getArg(1);
  a.pe = call->getArg(n - 1);
  a.element = type->getTemplateArgs()[0].getAsType();
  if (is_several) return world_range_call(a, call->getArg(2), context);
  if (found->second == compare_swap) a.expected = call->getArg(2);
  if (n >= 4) a.value = call->getArg(n - 2);
  return {a, {}};
}

// `counts[i]` of a distributed array.
const clang::CXXOperatorCallExpr* element_of(const clang::Expr* e) {
  const auto* const o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e->IgnoreUnlessSpelledInSource());
  return o != nullptr && o->getOperator() == clang::OO_Subscript && o->getNumArgs() == 2 &&
                 is_type(o->getArg(0)->getType(), "shoal::distributed_array")
             ? o
             : nullptr;
}

remote_access array_access(const clang::Expr* whole, const clang::CXXOperatorCallExpr* element,
                           remote_operation operation) {
  remote_access a;
  a.whole = whole;
  a.family = access_family::array;
  a.operation = operation;
  a.has_result = operation == remote_operation::get;
  a.object = without_casts(element->getArg(0));
  a.index = element->getArg(1)->IgnoreUnlessSpelledInSource();
  const auto* const type =
      llvm::cast<clang::ClassTemplateSpecializationDecl>(element->getArg(0)->getType()->getAsCXXRecordDecl());
  a.element = type->getTemplateArgs()[0].getAsType();
  return a;
}

remote_call array_call(const clang::Expr* e, const clang::ASTContext& context) {
  using enum remote_operation;
  if (const auto* o = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) {
    const clang::CXXOperatorCallExpr* const element = element_of(o->getArg(0));
    if (element == nullptr) return {};
    switch (o->getOperator()) {
      case clang::OO_Equal:
      case clang::OO_PlusEqual: {
        // The value comes first.
        const clang::Expr* const index = element->getArg(1);
        const clang::Expr* const value = o->getArg(1);
        const bool both_may = index->HasSideEffects(context) && value->HasSideEffects(context);
        if (both_may || index->HasSideEffects(context, false) || value->HasSideEffects(context, false))
          return {std::nullopt, "its value or its index has side effects; give them variables first"};
        remote_access a = array_access(o, element, o->getOperator() == clang::OO_Equal ? put : add);
        a.value = o->getArg(1);
        return {a, {}};
      }
      case clang::OO_PlusPlus: return {array_access(o, element, increment), {}};
      case clang::OO_MinusEqual: return {std::nullopt, "write += of the negative value"};
      default: return {};
    }
  }
  // A read: the conversion to the element's type.
  const auto* const call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
  if (call == nullptr || call->getMethodDecl() == nullptr ||
      !llvm::isa<clang::CXXConversionDecl>(call->getMethodDecl()))
    return {};
  const clang::CXXOperatorCallExpr* const element = element_of(call->getImplicitObjectArgument());
  if (element == nullptr) return {};
  return {array_access(call, element, get), {}};
}

}  // namespace

remote_call remote_call_of(const clang::Expr* e, const clang::ASTContext& context) {
  if (e->isTypeDependent()) return {};
  if (remote_call found = array_call(e, context); found.access.has_value() || !found.refusal.empty()) return found;
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(e);
  if (call == nullptr) return {};
  if (const member_call m = member_call_of(call); m.object != nullptr)
    return is_type(m.object->getType(), "shoal::world") ? world_call(call, m, context) : remote_call{};
  const clang::FunctionDecl* const f = call->getDirectCallee();
  if (f == nullptr) return {};
  const std::string name = library_name(f);
  if (name.starts_with("shoal_lgp_mem")) return getput_range_call(call, name == "shoal_lgp_memget", context);
  if (remote_call found = getput_call(call, name); found.access.has_value()) {
    const clang::QualType held = element_of_object(found.access->object);
    if (!held.isNull() &&
        held.getCanonicalType().getUnqualifiedType() != found.access->element.getCanonicalType().getUnqualifiedType())
      return {std::nullopt, "the array has elements of another type"};
    return found;
  }
  if (const std::optional<shmem_name> parsed = parse_shmem(name)) {
    remote_call found = shmem_call(call, *parsed, context);
    if (!found.access.has_value()) return found;
    const clang::QualType held = element_of_object(found.access->object);
    if (held.isNull()) return found;
    // Casts hide other types: bits are not converted.
    if (held.getCanonicalType().getUnqualifiedType() != found.access->element.getCanonicalType().getUnqualifiedType())
      return {std::nullopt, "the array has elements of another type"};
    // As the program names it.
    if (!llvm::isa<clang::UnaryOperator>(found.access->object)) found.access->element = held.getUnqualifiedType();
    return found;
  }
  return {};
}

bool is_barrier_call(const clang::CallExpr* call) {
  if (const member_call m = member_call_of(call); m.object != nullptr)
    return m.name == "barrier" && is_type(m.object->getType(), "shoal::world");
  const clang::FunctionDecl* const f = call->getDirectCallee();
  return f != nullptr && library_name(f) == "shmem_barrier_all";
}

bool is_collective_call(const clang::CallExpr* call) {
  if (is_barrier_call(call)) return true;
  if (const member_call m = member_call_of(call); m.object != nullptr) {
    static const std::set<std::string> names = {
        "sum", "min", "max", "all_reduce", "broadcast", "allocate", "deallocate", "exclusive_scan", "finish"};
    return names.contains(m.name) && is_type(m.object->getType(), "shoal::world");
  }
  const clang::FunctionDecl* const f = call->getDirectCallee();
  if (f == nullptr) return false;
  static const llvm::Regex names(
      "^(lgp_(reduce|prior|partial)_.*|lgp_min_avg_max_.*|shmem_(malloc|calloc|align|free|malloc_with_hints|sync_all|"
      "finalize|init)|shmalloc|shfree)$");
  return names.match(library_name(f));
}

bool waits_for_others(const clang::CallExpr* call) {
  if (is_collective_call(call)) return true;
  const clang::FunctionDecl* const f = call->getDirectCallee();
  if (f == nullptr) return false;
  static const llvm::Regex names(
      "^(shmem_(.*_)?(wait|wait_until.*|test.*|to_all|reduce|broadcast.*|collect.*|fcollect.*|alltoall.*|barrier|sync|"
      "team_sync|quiet|fence|set_lock|clear_lock|test_lock)|shmem_.*_to_all)$");
  return names.match(library_name(f));
}

}  // namespace shoal::translate
