/// Tells from a type whether its values hold addresses, which mean nothing on another PE.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>  // also declares reference_wrapper
#include <type_traits>
#include <utility>

namespace shoal::internal {

template <class T>
consteval bool tell_whether_it_holds_address();

/// True for pointers to objects and functions, references, pointers to member functions, and standard types made of
/// such: views, spans, iterators, arrays, pairs, tuples, optionals, variants. True for an aggregate with such a member
/// among the first 16 scalars that its braces take. False for every type that cannot be looked into: classes with
/// constructors or private members, members of unions, and what comes after a member that nothing can initialise. So a
/// class is the way to carry an address on purpose, as shoal::origin does.
template <class T>
inline constexpr bool holds_address = tell_whether_it_holds_address<T>();

// --- Members of aggregates
//
// Nothing in C++20 lists the members of an aggregate. Structured bindings need their exact number, and a wrong number
// is an error. What can be asked without errors is whether braces with certain values initialise the aggregate. The
// values here are probes: each converts to any type of one kind, and thereby tells the kind of the member that it
// initialises. Arrays and nested aggregates without braces of their own take a probe per scalar. Nothing is ever converted
// (Clang wants bodies nevertheless). Probes cannot be copied: a constructor template that takes any value would take a
// probe, and compilers instantiate its body if it is constexpr, which is an error that nothing catches.

enum class probe_kind {
  scalar,  // converts to whatever is not a class; references to functions, too
  object,  // to classes and unions, except wrappers
  wrapper,  // to std::optional, std::reference_wrapper and the like, whose constructors take the probes of their contents
  any
};
enum class probe_asks { nothing, has_address, has_none };

template <class T>
inline constexpr bool is_reference_wrapper = false;
template <class T>
inline constexpr bool is_reference_wrapper<std::reference_wrapper<T>> = true;

// std::optional and std::variant, whose headers are not needed here: whoever has one has included it.
template <class T>
concept optional_like = requires(T& value, const T& in) {
  typename T::value_type;
  in.has_value();
  value.reset();
  { *in } -> std::same_as<const typename T::value_type&>;
};
template <class T>
concept variant_like = requires(const T& value) { value.valueless_by_exception(); };

template <class T>
inline constexpr bool is_wrapper = is_reference_wrapper<T> || optional_like<T> || variant_like<T>;

template <class T>
inline constexpr probe_kind kind_of = !std::is_class_v<T> && !std::is_union_v<T> ? probe_kind::scalar
                                      : is_wrapper<T>                            ? probe_kind::wrapper
                                                                                 : probe_kind::object;

template <class T, probe_kind Kind, probe_asks Asks>
consteval bool fits() {
  if constexpr (Kind != probe_kind::any && Kind != kind_of<T>) {
    return false;
  } else if constexpr (Asks == probe_asks::nothing) {
    return true;
  } else {
    return holds_address<T> == (Asks == probe_asks::has_address);
  }
}

template <probe_kind Kind, probe_asks Asks = probe_asks::nothing>
struct probe {
  probe(const probe&) = delete;
  template <class T>
    requires(fits<T, Kind, Asks>())
  operator T&() const noexcept {
    __builtin_unreachable();
  }
};
using any_probe = probe<probe_kind::any>;

// What a reference to non-const cannot be bound to.
template <probe_kind Kind>
struct value_probe {
  value_probe(const value_probe&) = delete;
  template <class T>
    requires(kind_of<T> == Kind && !std::is_function_v<T>)
  operator T() const noexcept {
    __builtin_unreachable();
  }
};

template <class T>
concept empty_braces_make = requires(void (*take)(T)) { take({}); };
// Types whose members need no value, unless they are references; and all others.
template <probe_kind Kind, bool IsDefaultable>
struct default_probe {
  default_probe(const default_probe&) = delete;
  template <class T>
    requires((Kind == probe_kind::any || kind_of<T> == Kind) && empty_braces_make<T> == IsDefaultable)
  operator T&() const noexcept {
    __builtin_unreachable();
  }
};

template <class T, class... Probes>
concept takes = requires { T{std::declval<Probes&>()...}; };

inline constexpr std::size_t probes_max = 16;

/// The members of the aggregate T from the one on that follows those initialised by `Before`. Its empty braces need
/// `NNeeded` values, because members without a default, such as references, are among the first so many.
template <class T, std::size_t NNeeded, class... Before>
class members_from {
  template <class Probe, class Rest>
  struct completed;
  template <class Probe, std::size_t... Rest>
  struct completed<Probe, std::index_sequence<Rest...>> {
    template <std::size_t>
    using another = any_probe;
    static constexpr bool is_taken = takes<T, Before..., Probe, another<Rest>...>;
  };
  static constexpr std::size_t n_here = sizeof...(Before) + 1;
  static constexpr std::size_t n_rest = NNeeded > n_here ? NNeeded - n_here : 0;

  template <class Probe>
  static constexpr bool here = completed<Probe, std::make_index_sequence<n_rest>>::is_taken;
  template <probe_kind Kind>
  static constexpr bool is = here<probe<Kind>>;
  template <probe_kind Kind>
  static constexpr bool has_address =
      here<probe<Kind, probe_asks::has_address>> && !here<probe<Kind, probe_asks::has_none>>;

  // A reference to const takes what a value takes, but the braces of T need a value for it.
  template <probe_kind Kind>
  static consteval bool is_reference_to() {
    if constexpr (NNeeded < n_here || !is<Kind>) {
      return false;
    } else {
      return !here<value_probe<Kind>> ||
             (NNeeded == n_here && here<default_probe<Kind, true>> && !here<default_probe<probe_kind::any, false>>);
    }
  }
  static consteval bool is_reference() {
    if constexpr (is_reference_to<probe_kind::object>() || is_reference_to<probe_kind::wrapper>()) {
      return true;
    } else {
      return is_reference_to<probe_kind::scalar>() && !is<probe_kind::object> && !is<probe_kind::wrapper>;
    }
  }

  // An aggregate without braces takes a scalar for its first member, and so does an anonymous union. GCC does not let it
  // take a union, but then the probe of any kind is ambiguous.
  static consteval bool is_address() {
    return here<probe<probe_kind::scalar, probe_asks::has_address>> && !is<probe_kind::object> && here<any_probe>;
  }

  template <probe_kind Kind>
  static consteval bool or_next_hold_address() {
    if constexpr (has_address<Kind>) {
      return true;
    } else {
      return members_from<T, NNeeded, Before..., probe<Kind>>::hold_address();
    }
  }

public:
  static consteval bool hold_address() {
    if constexpr (n_here > probes_max) {
      return false;
    } else if constexpr (is_reference()) {
      return true;
    } else if constexpr (is<probe_kind::wrapper>) {
      return or_next_hold_address<probe_kind::wrapper>();
    } else if constexpr (is<probe_kind::scalar>) {
      if constexpr (is_address() || has_address<probe_kind::object>) {
        return true;
      } else {
        return members_from<T, NNeeded, Before..., probe<probe_kind::scalar>>::hold_address();
      }
    } else if constexpr (is<probe_kind::object>) {
      return or_next_hold_address<probe_kind::object>();
    } else {
      return false;
    }
  }
};

// How many values the braces of T need: 0 for most types; more than probes_max if that many do not suffice.
template <class T, class... Probes>
consteval std::size_t n_needed() {
  if constexpr (sizeof...(Probes) > probes_max || takes<T, Probes...>) {
    return sizeof...(Probes);
  } else {
    return n_needed<T, Probes..., any_probe>();
  }
}

// An aggregate in which a pointer has room, unless it is packed.
template <class T>
concept inspectable = std::is_class_v<T> && requires {
  requires sizeof(T) >= sizeof(void*) && alignof(T) >= alignof(void*);
} && std::is_aggregate_v<T>;

template <class T>
consteval bool has_member_with_address() {
  if constexpr (inspectable<T>) {
    constexpr std::size_t n = n_needed<T>();
    if constexpr (n <= probes_max) return members_from<T, n>::hold_address();
  }
  return false;
}

// --- Types by name

template <class T>
inline constexpr bool is_address =
    std::is_pointer_v<T> || std::is_reference_v<T> || std::is_function_v<T> || std::is_member_function_pointer_v<T>;

// The iterators of vectors, strings and spans.
template <class T>
inline constexpr bool is_wrapped_pointer = false;
template <class T>
  requires requires { typename T::iterator_category; }
inline constexpr bool is_wrapped_pointer<T> = std::contiguous_iterator<T>;

template <class T>
inline constexpr bool is_named_address =
    is_address<T> || is_reference_wrapper<T> || (std::is_class_v<T> && is_wrapped_pointer<T>);
template <class T, std::size_t Count>
inline constexpr bool is_named_address<std::span<T, Count>> = true;
template <class Character, class Traits>
inline constexpr bool is_named_address<std::basic_string_view<Character, Traits>> = true;

template <class T>
inline constexpr bool has_content_with_address = has_member_with_address<T>();
template <class T, std::size_t Count>
inline constexpr bool has_content_with_address<T[Count]> = holds_address<T>;
template <class T, std::size_t Count>
inline constexpr bool has_content_with_address<std::array<T, Count>> = Count != 0 && holds_address<T>;
template <class First, class Second>
inline constexpr bool has_content_with_address<std::pair<First, Second>> =
    holds_address<First> || holds_address<Second>;
template <class... Parts>
inline constexpr bool has_content_with_address<std::tuple<Parts...>> = (holds_address<Parts> || ...);
template <optional_like T>
inline constexpr bool has_content_with_address<T> = holds_address<typename T::value_type>;
template <template <class...> class Variant, class... Parts>
  requires variant_like<Variant<Parts...>>
inline constexpr bool has_content_with_address<Variant<Parts...>> = (holds_address<Parts> || ...);

template <class T>
consteval bool tell_whether_it_holds_address() {
  using type = std::remove_cv_t<T>;
  if constexpr (std::is_arithmetic_v<type> || std::is_enum_v<type> || std::is_void_v<type>) {
    return false;
  } else if constexpr (is_named_address<type>) {
    return true;
  } else {
    return has_content_with_address<type>;
  }
}

/// Always true: a type whose values hold addresses does not compile, with words that name the fix.
template <class T>
consteval bool holds_no_address() {
  static_assert(!holds_address<T>,
                "this type holds an address (of an object or a function), which means nothing on another PE: send a "
                "value, an index, a shoal::symmetric array, the handle of a per_pe, a closure that calls the function, "
                "or a shoal::origin for an object that only its own PE will use");
  return true;
}

}  // namespace shoal::internal
