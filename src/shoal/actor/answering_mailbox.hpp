/// A mailbox whose handler answers: its messages are questions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "shoal/actor/future.hpp"
#include "shoal/actor/handler.hpp"
#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/ask.hpp"
#include "shoal/actor/internal/encoding.hpp"
#include "shoal/actor/mailbox.hpp"
#include "shoal/actor/record_mailbox.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/base/serializable.hpp"
#include "shoal/base/types.hpp"

namespace shoal {

/// Declares a mailbox of a selector whose handler answers: `shoal::selector<directory, shoal::question<key, entry>>` has
/// `entry process(key)`, or `shoal::future<entry> process(key)` if the answer may come later.
template <class M, class R>
struct question {};

namespace internal {

/// A message with the place of its answer.
template <class M>
struct asked {
  M message;
  std::uint32_t number;  // 0: nobody asks
  std::uint32_t place;  // among the answers of ask_all

  static constexpr std::uint32_t is_single = UINT32_MAX;  // no place: ask
};
template <class M>
inline constexpr bool is_item<asked<M>> = is_item<M>;
template <class M>
struct named_as<asked<M>> {
  using type = M;
};

/// What a send takes for it.
template <class M>
struct sent_asked {
  const sent_as_t<M>& message;
  std::uint32_t number;
  std::uint32_t place;
};
template <class M>
struct sent_as<asked<M>> {
  using type = sent_asked<M>;
};

/// Number and place, and then the message, which keeps its alignment.
template <class M>
struct encoding_of_asked {
  using its = encoding<M>;
  static constexpr std::uint32_t align = its::align;
  static constexpr bool is_padded = its::is_padded;
  static constexpr std::size_t front_bytes = align > 8 ? align : 8;

  static std::size_t size(const sent_asked<M>& m) { return front_bytes + its::size(m.message); }
  static void write(std::byte* to, std::size_t bytes, const sent_asked<M>& m) {
    write_front(to, m);
    its::write(to + front_bytes, bytes - front_bytes, m.message);
  }
  static void write_front(std::byte* to, const sent_asked<M>& m) noexcept {
    const std::array<std::uint32_t, 2> front{m.number, m.place};
    if constexpr (front_bytes != sizeof front) std::memset(to, 0, front_bytes);
    std::memcpy(to, front.data(), sizeof front);
  }
  template <class F>
  static bool read(std::span<const std::byte> from, F f) {
    if (from.size() < front_bytes) return false;
    std::array<std::uint32_t, 2> front;
    std::memcpy(front.data(), from.data(), sizeof front);
    return its::read(from.subspan(front_bytes), [&](M&& m) { f(asked<M>{std::forward<M>(m), front[0], front[1]}); });
  }
};
template <class M>
struct encoding<asked<M>> : encoding_of_asked<M> {};
template <class M>
  requires encodes_in_pieces<encoding<M>>
struct encoding<asked<M>> : encoding_of_asked<M> {
  using its = encoding<M>;
  static constexpr std::size_t front_bytes = encoding_of_asked<M>::front_bytes;
  static constexpr std::size_t head_bytes = front_bytes + its::head_bytes;

  static std::span<const std::byte> head(const sent_asked<M>& m, std::byte* memory) noexcept {
    encoding_of_asked<M>::write_front(memory, m);
    its::head(m.message, memory + front_bytes);
    return {memory, head_bytes};
  }
  static std::span<const std::byte> body(const sent_asked<M>& m) noexcept { return its::body(m.message); }
};

/// What `H` returns for a message; its form as for a mailbox without answers.
template <class M, class H>
decltype(auto) call_handler(H& handle, M&& m, pe_id from) {
  if constexpr (std::is_invocable_v<H&, M, pe_id>) {
    return handle(std::forward<M>(m), from);
  } else {
    return handle(std::forward<M>(m));
  }
}

template <class H, class M>
struct result_of_handler {
  using type = void;
};
template <class H, class M>
  requires(std::is_invocable_v<H&, M> || std::is_invocable_v<H&, M, pe_id>)
struct result_of_handler<H, M> {
  using type = std::remove_cvref_t<decltype(call_handler<M>(std::declval<H&>(), std::declval<M>(), pe_id{}))>;
};
/// Whether a handler of messages of type M returns a future.
template <class H, class M>
concept answers_questions = is_future<typename result_of_handler<H, M>::type>;
template <class H, class M>
using answer_of_handler = typename value_of_future<typename result_of_handler<H, M>::type>::type;

/// The handler of `asked<M>` messages: calls H and replies.
template <class M, class R, class H>
struct answering {
  H handle;
  world* home;

  void operator()(const asked<M>& m, pe_id from)
    requires(!message_of_any_size<M>)
  {
    answer(m.message, m.number, m.place, from);
  }
  void operator()(asked<M>&& m, pe_id from)
    requires message_of_any_size<M>
  {
    answer(std::move(m.message), m.number, m.place, from);
  }

private:
  template <class Message>
  void answer(Message&& m, std::uint32_t number, std::uint32_t place, pe_id from) {
    static_assert(std::is_invocable_v<H&, Message> || std::is_invocable_v<H&, Message, pe_id>,
                  "no handler for this question that may be called: it is called as process(message) or "
                  "process(message, sender), and it is public");
    if constexpr (std::is_invocable_v<H&, Message> || std::is_invocable_v<H&, Message, pe_id>) {
      using result = decltype(call_handler<Message>(handle, std::forward<Message>(m), from));
      constexpr bool is_without_value = std::is_void_v<R> && !is_future<std::remove_cvref_t<result>>;
      static_assert(std::is_convertible_v<result, R> || std::is_same_v<std::remove_cvref_t<result>, future<R>> ||
                        is_without_value,
                    "the handler of a question returns its answer, or a future of it");
      if constexpr (is_without_value) {
        call_handler<Message>(handle, std::forward<Message>(m), from);
        reply_to(number, place, from, future<R>::ready());
      } else {
        reply_to(number, place, from, call_handler<Message>(handle, std::forward<Message>(m), from));
      }
    }
  }

  void reply_to(std::uint32_t number, std::uint32_t place, pe_id from, future<R>&& answer) {
    if (number == 0) return;
    if (place == asked<M>::is_single) return reply_with(*home, from, keep_answer<R>{number}, std::move(answer));
    if constexpr (!std::is_void_v<R>) reply_with(*home, from, keep_answer_at<R>{number, place}, std::move(answer));
  }
};

template <class M, class P>
struct prefetch_of_asked {
  P hook;
  const void* operator()(const asked<M>& m) const
    requires prefetch_hook<const P, M>
  {
    return hook(m.message);
  }
};

template <class M, class R, class H, class P>
struct answering_base {
  using type = typed_mailbox<asked<M>, answering<M, R, H>, prefetch_of_asked<M, P>>;
};
template <message_of_any_size M, class R, class H, class P>
struct answering_base<M, R, H, P> {
  using type = record_mailbox<asked<M>, answering<M, R, H>>;
};

}  // namespace internal

/// A mailbox of messages of type `M`, whose handler `H` answers with an `R`: it returns it, or a future of it, as a
/// coroutine does. As typed_mailbox and record_mailbox. Each message takes 8 bytes more than it would without answers.
template <class M, class R, class H, class P = no_prefetch>
class answering_mailbox : public internal::answering_base<M, R, H, P>::type {
  using base = typename internal::answering_base<M, R, H, P>::type;
  using sent = internal::sent_as_t<M>;
  static_assert(internal::require_travel<R>());

public:
  answering_mailbox(world& home, std::string actor_name, H on_message)
      : base(home, std::move(actor_name), {std::move(on_message), &home}) {}
  answering_mailbox(world& home, std::string actor_name, H on_message, P prefetch)
    requires(!internal::message_of_any_size<M>)
      : base(home, std::move(actor_name), {std::move(on_message), &home}, {std::move(prefetch)}) {}

  /// Without a question: the answer is dropped where it is made.
  void send(pe_id target, const sent& m) { base::send(target, {m, 0, 0}); }
  [[nodiscard]] bool try_send(pe_id target, const sent& m) { return base::try_send(target, {m, 0, 0}); }

  /// Sends a message, and gives a future of its answer. Legal where send is, and in order with it; the answer belongs to
  /// the superstep of the mailbox's closures: `finish` waits for it, an earlier `close` of the mailbox does not.
  future<R> ask(pe_id target, const sent& m, const std::source_location where = std::source_location::current()) {
    internal::answers& all = internal::answers_of(this->home());
    all.questions().note();
    internal::pending_answer& a = all.open(target, where, internal::number_for_answers(this->home()));
    future<R> answer(a);
    base::send(target, {m, a.number, internal::asked<M>::is_single});
    return answer;
  }

  /// As lambda_actor::ask_all: asks each query at PE target_of(query).
  template <class Queries, class TargetOf>
  future<void> ask_all(const Queries& queries, std::span<std::type_identity_t<R>> into, const TargetOf& target_of,
                       const std::source_location where = std::source_location::current())
    requires(!std::is_void_v<R>)
  {
    const auto send_one = [&](const internal::query_of<Queries>& query, std::uint32_t number, std::uint32_t place) {
      base::send(static_cast<pe_id>(target_of(query)), {query, number, place});
    };
    return internal::ask_in_order(this->home(), queries, into, where, send_one);
  }
};

}  // namespace shoal
