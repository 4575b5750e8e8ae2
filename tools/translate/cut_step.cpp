#include "tools/translate/cut_step.hpp"

#include <algorithm>
#include <utility>

#include "tools/translate/dealt_index.hpp"
#include "tools/translate/known_functions.hpp"
#include "tools/translate/remote_range.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

using clang::Expr;

class step_cutter {
public:
  explicit step_cutter(loop_code& of) : of_(of) {}

  std::size_t add(const remote_access& a, std::size_t segment) {
    const std::size_t index = of_.into().steps.size();
    loop_step s;
    s.line = of_.text().line(a.whole->getExprLoc());
    s.position = of_.text().offset(a.whole->getBeginLoc());
    s.family = a.family;
    s.operation = a.operation;
    s.parent = segment;
    s.element = name_of(a.element, of_.context());
    s.element_bytes = static_cast<std::size_t>(of_.context().getTypeSizeInChars(a.element).getQuantity());
    s.element_alignment = static_cast<std::size_t>(of_.context().getTypeAlignInChars(a.element).getQuantity());
    set_object(a, s);
    const std::size_t n_before = of_.reader().touches().size();
    const auto argument = [&](const Expr* e) {
      if (e == nullptr) return pieces{};
      if (of_.pending_in(e) != nullptr)
        of_.refuse(e, of_.text().text(of_.range_of(e)), "an answer is needed first; give it a variable");
      // Fields of a message are computed in another order.
      if (e->HasSideEffects(of_.context(), false))
        of_.refuse(e, of_.text().text(of_.argument_range(e)), "it has side effects; give it a variable first");
      of_.look(e, segment);
      return of_.code(e, of_.argument_range(e), segment);
    };
    s.index = argument(a.index);
    if (a.index != nullptr) {
      // Members of other classes have names of types that mean nothing here.
      clang::QualType type = a.index->IgnoreParenImpCasts()->getType();
      static const std::set<std::string> plain = {"size_t",   "std::size_t",   "int64_t", "std::int64_t",
                                                  "uint64_t", "std::uint64_t", "int32_t", "std::int32_t",
                                                  "uint32_t", "std::uint32_t"};
      if (!plain.contains(name_of(type, of_.context()))) type = type.getCanonicalType();
      s.index_type = name_of(type, of_.context());
      s.index_bytes = static_cast<std::size_t>(of_.context().getTypeSizeInChars(type).getQuantity());
    }
    if (const dealt_index d = dealt_index_of(a, of_.context(), of_.text()); d.variable != nullptr && !is_several(a)) {
      s.dealt_as = of_.variables().of(d.variable);
      s.is_remainder = d.is_remainder;
      for (const auto& [factor, at, is_subtracted] : d.rounds)
        s.rounds.push_back({is_subtracted, factor == nullptr ? pieces{} : of_.code(factor, at, segment)});
    }
    s.pe = argument(a.pe);
    s.is_pe_id =
        a.pe != nullptr && a.pe->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(clang::BuiltinType::Int);
    const auto is_known = [&](const Expr* e) {
      return e != nullptr && is_same_everywhere(e, of_.context()) && !names_local(e);
    };
    if (is_several(a)) {
      s.several = step_elements{};
      s.several->count = a.is_number ? pieces{} : argument(a.count);
      // The PE that answers does not know what an iteration declares, be it a constant.
      const bool is_asked =
          reads_several(a) && std::ranges::any_of(s.several->count, [&](const piece& p) {
            return p.is == piece::kind::variable && of_.into().variables[p.index].kind == variable_kind::iteration;
          });
      s.several->is_count_known = !is_asked && (a.known_count.has_value() || (!a.is_size && is_known(a.count)));
      s.several->is_count_size =
          a.is_size || of_.context().hasSameUnqualifiedType(written_type(a.count), of_.context().getSizeType());
      if (a.known_count.has_value() && !is_asked) s.several->n = *a.known_count;
      if (a.is_number) add_text(s.several->count, std::to_string(*a.known_count));
      if (a.is_size) add_text(s.several->count, ".size()");
      if (!reads_several(a)) s.several->address = elements(a, touch::kind::read, segment);
    }
    s.value = argument(a.value);
    const auto is_int = [&](const Expr* e) {
      return e == nullptr || written_type(e)->isSpecificBuiltinType(clang::BuiltinType::Int);
    };
    s.is_known_int = is_int(a.value) && is_int(a.expected) && a.element->isSignedIntegerType() &&
                     of_.context().getTypeSize(a.element) >= 32;
    s.is_value_known = is_known(a.value);
    s.is_value_element = a.value != nullptr && of_.context().hasSameUnqualifiedType(written_type(a.value), a.element);
    s.expected = argument(a.expected);
    s.is_expected_element =
        a.expected != nullptr && of_.context().hasSameUnqualifiedType(written_type(a.expected), a.element);
    s.is_expected_known = is_known(a.expected);
    // Arguments are computed in an order that the language leaves open.
    const auto n_draws = std::ranges::count_if(of_.reader().touches().begin() + static_cast<std::ptrdiff_t>(n_before),
                                               of_.reader().touches().end(), &touch::draws);
    if (n_draws > 1)
      of_.refuse(a.whole, of_.text().text(of_.range_of(a.whole)),
                 "it draws several random numbers; give them variables first");
    of_.into().steps.push_back(std::move(s));
    of_.reader().look_at_remote(a, index, segment);
    for (std::size_t i = n_before; i < of_.reader().touches().size(); ++i)
      of_.reader().touches()[i].argument_of = index;
    return index;
  }

  pieces receive(const remote_access& a, std::size_t step) {
    of_.into().steps[step].several->address = elements(a, touch::kind::write, step);
    return {{piece::kind::receive, {}, step}};
  }

private:
  // Where the elements are on the PE whose loop it is.
  pieces elements(const remote_access& a, touch::kind how, std::size_t segment) {
    if (of_.pending_in(a.local) != nullptr)
      of_.refuse(a.local, of_.text().text(of_.argument_range(a.local)),
                 "an answer is needed first; give it a variable");
    if (a.local->HasSideEffects(of_.context(), false))
      of_.refuse(a.local, of_.text().text(of_.argument_range(a.local)),
                 "it has side effects; give it a variable first");
    of_.look_at_elements(a, how, segment);
    const Expr* const address = a.local->IgnoreParenCasts();
    pieces all = of_.code(address, of_.argument_range(address), segment);
    if (is_container(address->getType()) || is_span(address->getType())) add_text(all, ".data()");
    return all;
  }

  clang::QualType written_type(const Expr* e) const { return e->IgnoreParenImpCasts()->getType(); }

  // With the namespaces that the program names.
  std::string spelled_root(const Expr* object, const clang::VarDecl* root) const {
    const Expr* e = object->IgnoreParenImpCasts();
    while (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e)) e = m->getBase()->IgnoreParenImpCasts();
    const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenCasts());
    if (name == nullptr || !name->hasQualifier()) return root->getNameAsString();
    const std::optional<range> r = of_.text().of(name->getSourceRange());
    if (!r.has_value()) of_.refuse(object, root->getNameAsString(), "a macro names it");
    return of_.text().text(*r);
  }

  void set_object(const remote_access& a, loop_step& s) {
    const Expr* object = a.object;
    const bool is_address = llvm::isa<clang::UnaryOperator>(object);
    if (is_address) object = llvm::cast<clang::UnaryOperator>(object)->getSubExpr()->IgnoreParenImpCasts();
    const touch_reader::named_array of = of_.reader().array_of(object);
    if (of.root == nullptr) of_.refuse(a.whole, of_.text().text(of_.range_of(object)), "the array has no name");
    if (of_.scope().declared.contains(of.root))
      of_.refuse(a.whole, of.root->getNameAsString(), "each iteration has another array");
    if (const std::string why = of_.reader().not_symmetric(object, a.family); !why.empty())
      of_.refuse(a.whole, of_.text().text(of_.range_of(object)), why);
    const bool is_pointer = object->getType()->isPointerType();
    const bool is_scalar = is_address && !object->getType()->isArrayType();
    if (is_scalar && is_pointer) of_.refuse(a.whole, of_.text().text(of_.range_of(object)), "a pointer is no array");
    const bool is_local = of.root->isLocalVarDeclOrParm() && !of.root->isStaticLocal();
    if (is_local && is_scalar && !of.root->getType()->isPointerType())
      of_.refuse(a.whole, of.root->getNameAsString(), "it is not symmetric");
    s.object = spelled_root(object, of.root);
    if (is_local) {
      s.object_variable = of_.variables().of(of.root);
      if (s.family == access_family::shmem || s.family == access_family::getput) {
        if (!of.root->getType()->isPointerType()) of_.refuse(a.whole, s.object, "it is not symmetric");
      }
    }
    s.object += of.path;
    s.is_one_element = is_scalar && !is_pointer;
  }

  loop_code& of_;
};

}  // namespace

std::size_t add_step(loop_code& of, const remote_access& a, std::size_t segment) {
  return step_cutter(of).add(a, segment);
}

pieces receive_elements(loop_code& of, const remote_access& a, std::size_t step) {
  return step_cutter(of).receive(a, step);
}

}  // namespace shoal::translate
