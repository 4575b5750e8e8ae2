/// What may be a handler, and the loop that calls it over the messages of a buffer.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "shoal/actor/internal/fetch_loop.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/hop_tags.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal {

/// A message: any item that a buffer can hold aligned.
template <class T>
concept message = item<T> && alignof(T) <= cache_line_bytes;

/// The four forms of a handler: one message or a batch of them, with or without the sender.
template <class H, class M>
concept handles_one = std::is_invocable_v<H&, const M&> || std::is_invocable_v<H&, const M&, pe_id>;
template <class H, class M>
concept handles_batch =
    std::is_invocable_v<H&, std::span<const M>> || std::is_invocable_v<H&, std::span<const M>, pe_id>;
template <class H, class M>
concept handler = handles_one<H, M> || handles_batch<H, M>;

/// Returns the address that a message's handler will touch, so that it can be prefetched.
template <class P, class M>
concept prefetch_hook = std::is_invocable_r_v<const void*, P&, const M&>;

/// The hook of a mailbox without prefetching.
struct no_prefetch {};

namespace internal {

template <class M, class H>
inline void handle_one(H& handle, const M& m, pe_id from) {
  if constexpr (std::is_invocable_v<H&, const M&, pe_id>) {
    handle(m, from);
  } else {
    handle(m);
  }
}

/// Whether calls of a handler may run at the same time, on several workers. Layers above specialise it.
template <class H>
inline constexpr bool runs_in_parallel = false;

/// Whether a handler takes the sender.
template <class H, class M>
inline constexpr bool asks_sender =
    handles_one<H, M> ? std::is_invocable_v<H&, const M&, pe_id> : std::is_invocable_v<H&, std::span<const M>, pe_id>;

/// The sender of a buffer whose messages all have one: with one hop, or if the handler does not ask.
struct one_sender {
  pe_id pe;

  pe_id of(const std::byte*) const noexcept { return pe; }
  const std::byte* end_of_same(const std::byte*, const std::byte* end) const noexcept { return end; }
};

/// The senders of a buffer with several hops, from the messages' tags.
template <class M>
struct tagged_senders {
  tag_origins origins;
  const stream& in;
  const buffer& b;

  pe_id of(const std::byte* p) const noexcept {
    const auto i = static_cast<std::uint32_t>(static_cast<std::size_t>(p - b.payload()) / sizeof(M));
    return origins(in.tag_of(b, i));
  }
  /// The end of the messages from `p` on that have the same sender.
  const std::byte* end_of_same(const std::byte* p, const std::byte* end) const noexcept {
    const pe_id first = of(p);
    do {
      p += sizeof(M);
    } while (p < end && of(p) == first);
    return p;
  }
};

/// Whether the class behind handler `H` has a private member function for messages, or several.
template <class H>
concept hides_process = requires { requires H::has_process && !H::has_one_public_process; };

/// Runs `handle` over the messages in [p, now.end()) and returns where it stopped: at the end, or after the message
/// whose handler exceeded the credits. `now` says so: a delivery, or what has its `end` and `must_stop`.
///
/// The hot loop of the receiving side. Each iteration reads `now.end()` from memory only if the compiler cannot prove
/// that the handler leaves it alone, that is, if the handler sends.
template <class M, class H, class P, class Bound, class Senders>
const std::byte* handle_all(H& handle, P& prefetch, Bound& now, const std::byte* p, const Senders& senders) {
  static_assert(handler<H, M> || !hides_process<H>,
                "no handler for this message type that may be called: process is private, or no overload takes the "
                "message; make process public, since Shoal calls it from outside");
  static_assert(handler<H, M> || hides_process<H>,
                "no handler for this message type: it is called as process(message), "
                "process(message, sender), or with a std::span<const message> instead");
  if constexpr (!handler<H, M>) {
    return now.end();
  } else if constexpr (!handles_one<H, M>) {
    while (p < now.end()) {
      const std::byte* const end = senders.end_of_same(p, now.end());
      const std::span<const M> batch(reinterpret_cast<const M*>(p), static_cast<std::size_t>(end - p) / sizeof(M));
      if constexpr (asks_sender<H, M>) {
        handle(batch, senders.of(p));
      } else {
        handle(batch);
      }
      p = end;
    }
    return p;
  } else if constexpr (prefetch_hook<P, M>) {
    return handle_fetching(
        now, p, sizeof(M), [&](const std::byte* later) { return prefetch(*reinterpret_cast<const M*>(later)); },
        [&](const std::byte* at) { handle_one<M>(handle, *reinterpret_cast<const M*>(at), senders.of(at)); });
  } else {
    for (; p < now.end(); p += sizeof(M)) {
      handle_one<M>(handle, *reinterpret_cast<const M*>(p), senders.of(p));
    }
    return p;
  }
}

// The message type of a callable with one operator(): its first parameter, or the element type if that is a batch.
template <class T>
struct message_of_parameter {
  using type = std::remove_cvref_t<T>;
};
template <class T>
struct message_of_parameter<std::span<const T>> {
  using type = T;
};

template <class F>
struct first_parameter;
template <class R, class C, class A, class... More>
struct first_parameter<R (C::*)(A, More...)> : message_of_parameter<A> {};
template <class R, class C, class A, class... More>
struct first_parameter<R (C::*)(A, More...) const> : message_of_parameter<A> {};
template <class R, class C, class A, class... More>
struct first_parameter<R (C::*)(A, More...) noexcept> : message_of_parameter<A> {};
template <class R, class C, class A, class... More>
struct first_parameter<R (C::*)(A, More...) const noexcept> : message_of_parameter<A> {};

}  // namespace internal

/// The message type of a lambda handler. A generic lambda has none: name the type, as in `shoal::actor<handler_type,
/// message_type>`.
template <class H>
using message_of = typename internal::first_parameter<decltype(&H::operator())>::type;

}  // namespace shoal
