/// Calls with arguments: what a function takes, and how its arguments travel.
///
/// The function's parameters decide. An argument is converted to its parameter's type where it is sent, as in a call. If
/// all parameters are plain and small, the call is a closure of one size. Otherwise it is a record: the number of its type (8
/// bytes), what the function captures (padded to 8), and the arguments as archives write them.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "shoal/actor/internal/encoding.hpp"
#include "shoal/actor/internal/kept_function.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/base/serialize.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

/// The receiver of a call and where the program makes it: a parameter pack leaves no room for a default argument.
struct call_target {
  pe_id pe;
  std::source_location where;

  template <std::integral Pe>
  call_target(Pe its_pe, std::source_location here = std::source_location::current()) noexcept
      : pe(static_cast<pe_id>(its_pe)), where(here) {}
};

/// A function that is a template argument, as an object without captures.
template <auto Function>
struct function_constant {
  template <class... Arguments>
    requires std::is_invocable_v<decltype(Function), Arguments...>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return Function(std::forward<Arguments>(arguments)...);
  }
};

// --- Parameters of what has one call operator that is no template

template <class... Parameters>
struct parameter_list {
  static constexpr std::size_t n = sizeof...(Parameters);
};

template <class F>
struct signature;
template <class R, class... P>
struct signature<R (*)(P...)> : std::type_identity<parameter_list<P...>> {};
template <class R, class... P>
struct signature<R (*)(P...) noexcept> : std::type_identity<parameter_list<P...>> {};
template <class R, class C, class... P>
struct signature<R (C::*)(P...)> : std::type_identity<parameter_list<P...>> {};
template <class R, class C, class... P>
struct signature<R (C::*)(P...) const> : std::type_identity<parameter_list<P...>> {};
template <class R, class C, class... P>
struct signature<R (C::*)(P...) noexcept> : std::type_identity<parameter_list<P...>> {};
template <class R, class C, class... P>
struct signature<R (C::*)(P...) const noexcept> : std::type_identity<parameter_list<P...>> {};

template <class F>
struct parameters_of {};  // several call operators, or a template
template <class F>
  requires requires { &F::operator(); }
struct parameters_of<F> : signature<decltype(&F::operator())> {};
template <auto Function>
struct parameters_of<function_constant<Function>> : signature<decltype(Function)> {};

// A function object that changes itself when it is called: each call gets a copy.
template <class Operator>
inline constexpr bool is_mutable = false;
template <class R, class C, class... P>
inline constexpr bool is_mutable<R (C::*)(P...)> = true;
template <class R, class C, class... P>
inline constexpr bool is_mutable<R (C::*)(P...) noexcept> = true;
template <class F>
concept has_mutable_call = requires { requires is_mutable<decltype(&F::operator())>; };
template <class F>
concept has_parameters = requires { typename parameters_of<F>::type; };

template <std::size_t N, class List>
struct drop_first;
template <class... P>
struct drop_first<0, parameter_list<P...>> : std::type_identity<parameter_list<P...>> {};
template <std::size_t N, class First, class... P>
  requires(N > 0)
struct drop_first<N, parameter_list<First, P...>> : drop_first<N - 1, parameter_list<P...>> {};

// --- The forms of a call: f(arguments…), f(context, arguments…), f(context, sender, arguments…)

enum class call_form : std::uint8_t { plain, with_context, with_sender };

/// What a call is made of: its form, and the types that its arguments have when they arrive.
template <call_form Form, class... Values>
struct call_shape {
  static constexpr call_form form = Form;
  // Larger ones would be limited to a buffer, and gain nothing: their copies cost more than a head.
  static constexpr std::size_t fixed_bytes_max = 2 * cache_line_bytes;
  static constexpr bool is_fixed = (plain<Values> && ...) && (sizeof(Values) + ... + 0) <= fixed_bytes_max;
};

template <call_form Form, class List>
struct shape_of_list;
template <call_form Form, class... P>
struct shape_of_list<Form, parameter_list<P...>> {
  static_assert(!((std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>) || ...),
                "a function that is sent takes its arguments by value or as const references: nobody would see the "
                "change of an argument that has travelled");
  static_assert((serializable<std::remove_cvref_t<P>> && ...),
                "an argument of this call does not travel: it is neither plain bytes without addresses nor a standard "
                "container of what travels, and has no function serialize(archive, value)");
  static_assert(
      ((plain<std::remove_cvref_t<P>> || !serializable<std::remove_cvref_t<P>> ||
        std::is_default_constructible_v<std::remove_cvref_t<P>>) &&
       ...),
      "an argument of this call is read into a value that its default constructor makes, which its type lacks");
  using type = call_shape<Form, std::remove_cvref_t<P>...>;
};

// Whether a function takes what comes before its arguments.
template <class F, class List, class... Before>
inline constexpr bool begins_with = false;
template <class F, class... P, class... Before>
inline constexpr bool begins_with<F, parameter_list<P...>, Before...> = std::is_invocable_v<F&, Before..., P...>;

// A generic function takes the arguments' own types; literals and arrays of characters become texts.
template <class Argument>
using own_type = std::conditional_t<std::is_convertible_v<Argument, std::string_view> && std::is_array_v<Argument>,
                                    std::string_view, std::decay_t<Argument>>;

template <class F, class Context, class... Arguments>
consteval auto find_call_shape() {
  if constexpr (has_parameters<F>) {
    using list = typename parameters_of<F>::type;
    constexpr std::size_t n_before = list::n - sizeof...(Arguments);
    static_assert(n_before <= 2,
                  "a function that is sent is called as f(arguments…), f(context, arguments…) or "
                  "f(context, sender, arguments…); this one takes another number of parameters");
    if constexpr (n_before <= 2) {
      using rest = typename drop_first<n_before, list>::type;
      static_assert(
          n_before == 0 || begins_with<F, rest, Context&> || begins_with<F, rest, Context&, pe_id>,
          "this function takes more parameters than the arguments given: then the first ones are the context, "
          "and the sender; arguments that have defaults are given, too");
      return typename shape_of_list<static_cast<call_form>(n_before), rest>::type{};
    }
  } else if constexpr (std::is_invocable_v<const F&, Context&, own_type<Arguments>...>) {
    return typename shape_of_list<call_form::with_context, parameter_list<own_type<Arguments>...>>::type{};
  } else if constexpr (std::is_invocable_v<const F&, own_type<Arguments>...>) {
    return typename shape_of_list<call_form::plain, parameter_list<own_type<Arguments>...>>::type{};
  } else {
    static_assert(std::is_invocable_v<const F&, Context&, pe_id, own_type<Arguments>...>,
                  "a function that is sent is called as f(arguments…), f(context, arguments…) or "
                  "f(context, sender, arguments…); this one takes none of these");
    return typename shape_of_list<call_form::with_sender, parameter_list<own_type<Arguments>...>>::type{};
  }
}

template <class F, class Context, class... Arguments>
using call_shape_of = decltype(find_call_shape<F, Context, Arguments...>());

template <call_form Form, class F, class Context, class... Values>
decltype(auto) call_in_form(F& f, Context& context, pe_id from, Values&&... values) {
  if constexpr (Form == call_form::with_sender) {
    return f(context, from, std::forward<Values>(values)...);
  } else if constexpr (Form == call_form::with_context) {
    return f(context, std::forward<Values>(values)...);
  } else {
    return f(std::forward<Values>(values)...);
  }
}

template <call_form Form, class F, class Context, class... Values>
decltype(auto) make_call(F& f, Context& context, pe_id from, Values&&... values) {
  using result = decltype(call_in_form<Form>(f, context, from, std::forward<Values>(values)...));
  if constexpr (answers_later<F, result>) {
    return call_kept(f,
                     [&](F& kept) { return call_in_form<Form>(kept, context, from, std::forward<Values>(values)...); });
  } else {
    return call_in_form<Form>(f, context, from, std::forward<Values>(values)...);
  }
}

// --- Calls of one size

// Copies the bytes of a value, with zeros for its padding: that may look like an address (captured_addresses.hpp).
template <class T>
void copy_without_padding(std::byte* to, const T& value) noexcept {
  if constexpr (std::is_trivially_copyable_v<T>) {
    if constexpr (std::is_empty_v<T>) return;  // its byte may be another's
    std::memcpy(to, &value, sizeof(T));
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(reinterpret_cast<T*>(to));
#endif
  } else {  // a pair or a tuple
    std::apply(
        [&](const auto&... parts) {
          const auto* const begin = reinterpret_cast<const std::byte*>(&value);
          (copy_without_padding(to + (reinterpret_cast<const std::byte*>(&parts) - begin), parts), ...);
        },
        value);
  }
}

/// A value as bytes, so that pairs and tuples are trivially copyable, too.
template <class T>
struct value_bytes {
  alignas(T) std::array<std::byte, sizeof(T)> bytes;

  explicit value_bytes(const T& value) noexcept : bytes{} { copy_without_padding(bytes.data(), value); }
  const T& value() const noexcept { return *reinterpret_cast<const T*>(bytes.data()); }
};

template <class... Values>
struct value_pack {};
template <class First, class... Rest>
struct value_pack<First, Rest...> {
  value_bytes<First> first;
  [[no_unique_address]] value_pack<Rest...> rest;
};

inline value_pack<> pack() noexcept { return {}; }
template <class First, class... Rest>
value_pack<First, Rest...> pack(const First& first, const Rest&... rest) noexcept {
  return {value_bytes<First>(first), pack(rest...)};
}

/// A call as a closure.
template <class F, class Context, class Shape>
struct bound_call;
template <class F, class Context, call_form Form, class... Values>
struct bound_call<F, Context, call_shape<Form, Values...>> {
  static constexpr bool takes_sender = Form == call_form::with_sender;

  [[no_unique_address]] F f;
  value_pack<Values...> values;

  void operator()(Context& context) const
    requires(!takes_sender)
  {
    call(context, 0, values);
  }
  void operator()(Context& context, pe_id from) const
    requires takes_sender
  {
    call(context, from, values);
  }
  // A reply names what it will touch.
  const void* prefetch(Context& context) const
    requires requires(const F& its) { its.prefetch_further(context); }
  {
    return f.prefetch(context);
  }
  const void* prefetch_further(Context& context) const
    requires requires(const F& its) { its.prefetch_further(context); }
  {
    return f.prefetch_further(context);
  }

private:
  template <class... Read>
  void call(Context& context, pe_id from, const value_pack<>&, const Read&... read) const {
    std::conditional_t<has_mutable_call<F>, F, const F&> its = f;
    make_call<Form>(its, context, from, Values(read)...);
  }
  template <class First, class... Rest, class... Read>
  void call(Context& context, pe_id from, const value_pack<First, Rest...>& left, const Read&... read) const {
    call(context, from, left.rest, read..., left.first.value());
  }
};

template <class F, class Context, class Shape>
struct named_as<bound_call<F, Context, Shape>> : named_as<F> {};

template <class Context, class F, call_form Form, class... Values, class... Arguments>
auto bind_call(const F& f, call_shape<Form, Values...>, const Arguments&... arguments) noexcept {
  static_assert((std::is_convertible_v<const Arguments&, Values> && ...),
                "an argument does not convert to its parameter");
  return bound_call<F, Context, call_shape<Form, Values...>>{f, pack(static_cast<Values>(arguments)...)};
}

// --- Calls of any size

/// An argument as it is written: a view or a reference if that does, else a value of the parameter's type.
template <class Value, class Argument>
decltype(auto) as_sent(const Argument& argument) {
  if constexpr (std::is_same_v<Value, Argument>) {
    return (argument);
  } else if constexpr (std::is_convertible_v<const Argument&, sent_as_t<Value>>) {
    return sent_as_t<Value>(argument);
  } else {
    static_assert(std::is_convertible_v<const Argument&, Value>, "an argument does not convert to its parameter");
    return Value(argument);
  }
}

inline constexpr std::size_t bytes_before_captures = 8;  // the number of the type
template <class F>
inline constexpr std::size_t bytes_before_arguments =
    bytes_before_captures + (std::is_empty_v<F> ? 0 : (sizeof(F) + 7) / 8 * 8);

/// What a record of a call gives to the function that runs it, in place of a context.
struct arrived_call {
  void* context = nullptr;
  std::span<const std::byte> record;
  bool is_read = true;  // false: the arguments are not what the function takes
};

/// An argument as it is read. A plain one needs no default constructor.
template <class Value>
struct arriving_value {
  Value value{};

  void read(input_archive& in) { in(value); }
  Value&& take() noexcept { return std::move(value); }
};
template <plain Value>
struct arriving_value<Value> {
  alignas(Value) std::array<std::byte, sizeof(Value)> bytes;

  void read(input_archive& in) noexcept { in.bytes(bytes.data(), sizeof(Value), 1); }
  Value&& take() noexcept { return std::move(*reinterpret_cast<Value*>(bytes.data())); }
};

template <class F, class Context, class Shape>
struct call_runner;
template <class F, class Context, call_form Form, class... Values>
struct call_runner<F, Context, call_shape<Form, Values...>> {
  static void run(arrived_call& call, pe_id from) {
    alignas(F) std::array<std::byte, sizeof(F)> memory;
    if constexpr (!std::is_empty_v<F>) std::memcpy(&memory, call.record.data() + bytes_before_captures, sizeof(F));
    F& f = *reinterpret_cast<F*>(memory.data());
    input_archive in(call.record, bytes_before_arguments<F>);
    std::tuple<arriving_value<Values>...> values;
    std::apply([&](auto&... each) { (each.read(in), ...); }, values);
    call.is_read = in.is_used_up();
    if (!call.is_read) return;
    std::apply([&](auto&... each) { make_call<Form>(f, *static_cast<Context*>(call.context), from, each.take()...); },
               values);
  }
};

}  // namespace shoal::internal
