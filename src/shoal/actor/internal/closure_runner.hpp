/// Runs closures and calls of one type, and says what their mailbox has to know of the type (closure_types.hpp).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <typeinfo>

#include "shoal/actor/internal/call.hpp"
#include "shoal/actor/internal/closure_types.hpp"
#include "shoal/actor/internal/fetch_loop.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/delivery.hpp"

namespace shoal::internal {

template <class F, class Context>
inline void run_closure(const F& shared, Context& context, pe_id from) {
  // A mutable closure changes its captures. The buffer must not change, so the closure runs on a copy.
  constexpr bool is_const = std::is_invocable_v<const F&, Context&, pe_id> || std::is_invocable_v<const F&, Context&> ||
                            std::is_invocable_v<const F&>;
  std::conditional_t<is_const, const F&, F> f = shared;
  if constexpr (std::is_invocable_v<decltype((f)), Context&, pe_id>) {
    make_call<call_form::with_sender>(f, context, from);
  } else if constexpr (std::is_invocable_v<decltype((f)), Context&>) {
    make_call<call_form::with_context>(f, context, from);
  } else {
    make_call<call_form::plain>(f, context, from);
  }
}

/// A closure that names what it will touch: an object whose `prefetch` takes the context or nothing, and returns an
/// address.
template <class F, class Context>
concept fetching_closure = requires(const F& f, Context& context) {
  { f.prefetch(context) } -> std::convertible_to<const void*>;
} || requires(const F& f) {
  { f.prefetch() } -> std::convertible_to<const void*>;
};
template <class F>
concept has_prefetch = requires { &F::prefetch; };

template <class F, class Context>
inline const void* touched_by(const F& f, Context& context) {
  if constexpr (requires { f.prefetch(context); }) {
    return f.prefetch(context);
  } else {
    return f.prefetch();
  }
}

/// What closures of one type will touch, for handle_fetching.
template <class F, class Context>
struct fetch_of_closure {
  Context& context;

  const void* operator()(const std::byte* later) const {
    return touched_by(*reinterpret_cast<const F*>(later), context);
  }
  template <class C = Context>
  const void* further(const std::byte* later) const
    requires requires(const F& f, C& its) { f.prefetch_further(its); }
  {
    return reinterpret_cast<const F*>(later)->prefetch_further(context);
  }
};

// Hidden, as types are: two plugins may have closures of one name and different code.
template <class F, class Context>
[[gnu::visibility("hidden")]] const std::byte* run_closures(void* context, delivery& now, const std::byte* p,
                                                            pe_id from) {
  Context& c = *static_cast<Context*>(context);
  if constexpr (fetching_closure<F, Context>) {
    return handle_fetching(now, p, sizeof(F), fetch_of_closure<F, Context>{c},
                           [&](const std::byte* at) { run_closure(*reinterpret_cast<const F*>(at), c, from); });
  } else {
    for (; p < now.end(); p += sizeof(F)) run_closure(*reinterpret_cast<const F*>(p), c, from);
    return p;
  }
}

/// Memory of a closure: ones for captures, zeros for padding.
template <class F>
class padding_of_closure {
public:
  padding_of_closure() noexcept {
    bytes_.fill(std::byte{0xff});
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(reinterpret_cast<F*>(bytes_.data()));
#endif
  }

  /// Null if the compiler cannot tell padding from captures.
  const void* bytes() const noexcept { return is_known ? bytes_.data() : nullptr; }

private:
#if __has_builtin(__builtin_clear_padding)
  static constexpr bool is_known = true;
#else
  static constexpr bool is_known = std::has_unique_object_representations_v<F>;
#endif
  alignas(F) std::array<std::byte, sizeof(F)> bytes_;
};

template <class F, class Context>
struct [[gnu::visibility("hidden")]] type_of_closure {
  static constexpr bool is_const = std::is_invocable_v<const F&, Context&, pe_id> ||
                                   std::is_invocable_v<const F&, Context&> || std::is_invocable_v<const F&>;
  using called = std::conditional_t<is_const, const F&, F&>;
  static inline const closure_type value{closures_here,
                                         &run_closures<F, Context>,
                                         {.bytes = sizeof(F), .align = alignof(F)},
                                         std::is_invocable_v<called, Context&, pe_id>,
                                         typeid(typename named_as<F>::type).name(),
                                         padding_of_closure<F>().bytes()};
};

// Runs one call. `context` is an arrived_call.
template <class F, class Context, class Shape>
[[gnu::visibility("hidden")]] const std::byte* run_call(void* context, delivery&, const std::byte* p, pe_id from) {
  call_runner<F, Context, Shape>::run(*static_cast<arrived_call*>(context), from);
  return p;
}

/// The type of a call of any size; its kind is that of what the function captures.
template <class F, class Context, class Shape>
struct [[gnu::visibility("hidden")]] type_of_call {
  static inline const closure_type value{closures_here,
                                         &run_call<F, Context, Shape>,
                                         {.bytes = sizeof(F), .align = alignof(F)},
                                         Shape::form == call_form::with_sender,
                                         typeid(typename named_as<F>::type).name(),
                                         padding_of_closure<F>().bytes()};
};

}  // namespace shoal::internal
