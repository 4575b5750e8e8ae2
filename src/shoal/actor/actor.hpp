/// An actor with one mailbox and a handler given as a callable, usually a lambda.
#pragma once

#include <string>
#include <utility>

#include "shoal/actor/answering_mailbox.hpp"
#include "shoal/actor/record_mailbox.hpp"
#include "shoal/actor/world.hpp"

namespace shoal {

namespace internal {

template <class M, class H, class P>
struct actor_base {
  using type = mailbox_of<M, H, P>;
};
template <class M, class H, class P>
  requires answers_questions<H, M>
struct actor_base<M, H, P> {
  using type = answering_mailbox<M, answer_of_handler<H, M>, H, P>;
};

}  // namespace internal

/// `shoal::actor update{world, [&](std::int64_t slot) { ++counts[slot]; }};` makes an actor. In a superstep,
/// `update.send(pe, slot)` sends it a message. The handler's first parameter determines the message type: one message,
/// a `std::span<const message>`, or a message that may have any size: a shoal::list, a text, or any type that
/// serialize.hpp knows. An optional second parameter is the sender. Optional constructor arguments are a
/// prefetch hook, `[&](std::int64_t slot) { return &counts[slot]; }`, and a name for reports, `"update"`.
///
/// If the handler returns a shoal::future, as a coroutine does, it answers: `update.ask(pe, slot)` gives a future of its
/// answer (answering_mailbox.hpp).
///
/// Construction and destruction are collective, as for typed_mailbox.
template <class H, class M = message_of<H>, class P = no_prefetch>
class actor : public internal::actor_base<M, H, P>::type {
  using base = typename internal::actor_base<M, H, P>::type;
  static_assert(std::is_same_v<P, no_prefetch> || !internal::message_of_any_size<M>,
                "a prefetch is for messages of one size");

public:
  actor(world& home, H on_message, std::string name = "lambda")
    requires internal::message_of_any_size<M>
      : base(home, std::move(name), std::move(on_message)) {}
  actor(world& home, H on_message, std::string name = "lambda")
    requires(!internal::message_of_any_size<M>)
      : actor(home, std::move(on_message), P{}, std::move(name)) {}
  actor(world& home, H on_message, P prefetch, std::string name = "lambda")
      : base(home, std::move(name), std::move(on_message), std::move(prefetch)) {
    static_assert(handler<H, M>,
                  "an actor's handler is called as handle(message), handle(message, "
                  "sender), or with a std::span<const message> instead");
  }
};

template <class H>
actor(world&, H) -> actor<H, message_of<H>, no_prefetch>;
template <class H>
actor(world&, H, std::string) -> actor<H, message_of<H>, no_prefetch>;
template <class H>
actor(world&, H, const char*) -> actor<H, message_of<H>, no_prefetch>;
template <class H, class P>
actor(world&, H, P) -> actor<H, message_of<H>, P>;
template <class H, class P>
actor(world&, H, P, std::string) -> actor<H, message_of<H>, P>;

}  // namespace shoal
