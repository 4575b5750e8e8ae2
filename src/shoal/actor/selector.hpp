/// Selectors: a class with several mailboxes, each of its own message type.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "shoal/actor/answering_mailbox.hpp"
#include "shoal/actor/loop_check.hpp"
#include "shoal/actor/record_mailbox.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/type_name.hpp"

namespace shoal {

/// Names a mailbox by a tag instead of its message type: `tagged<struct ping, std::int64_t>`. The handler then takes
/// the tag first: `process(ping, std::int64_t)`.
template <class Tag, class M>
struct tagged {};

/// Names a mailbox by its position: `process(shoal::nth<1>{}, message)`. Distinguishes untagged mailboxes with the same
/// message type.
template <std::size_t I>
using nth = std::integral_constant<std::size_t, I>;

/// A mailbox of closures, which run on the selector: `shoal::tagged<struct work, shoal::closures>`, and
/// `send<work>(pe, [slot](table& there, shoal::pe_id from) { … })`.
struct closures {};

/// For the termination graph of a selector: which of its mailboxes feed `To`. Mailboxes are named by message type, by tag,
/// or as nth<I>. Without any: only main programs send to it.
template <class To, class... From>
struct fed {};

/// The termination graph of a selector, as a member type with the name `termination`. As mailbox::fed_by of the mailboxes
/// of one object.
///
///     using termination = shoal::termination_graph<shoal::fed<query>, shoal::fed<reply, query>>;
template <class... Fed>
struct termination_graph {};

namespace internal {

template <class Spec>
struct mailbox_spec {
  using tag = void;
  using message_type = Spec;
};
template <class M, class R>
struct mailbox_spec<question<M, R>> : mailbox_spec<M> {};
template <class Tag, class Spec>
struct mailbox_spec<tagged<Tag, Spec>> {
  using tag = Tag;
  using message_type = typename mailbox_spec<Spec>::message_type;
};

// The class of a mailbox.
template <class Spec, class H, class P>
struct mailbox_by_spec {
  using type = mailbox_of<Spec, H, P>;
};
template <class M, class R, class H, class P>
struct mailbox_by_spec<question<M, R>, H, P> {
  using type = answering_mailbox<M, R, H, P>;
};
template <class Tag, class Spec, class H, class P>
struct mailbox_by_spec<tagged<Tag, Spec>, H, P> : mailbox_by_spec<Spec, H, P> {};

template <class Spec>
inline constexpr bool is_of_closures = std::is_same_v<typename mailbox_spec<Spec>::message_type, closures>;

template <class Spec>
inline constexpr bool is_question = false;
template <class M, class R>
inline constexpr bool is_question<question<M, R>> = true;
template <class Tag, class Spec>
inline constexpr bool is_question<tagged<Tag, Spec>> = is_question<Spec>;

// Stands for an argument of exactly type T, without T's conversions: a handler of doubles is not one of integers.
template <class T>
struct exactly {
  template <class U>
    requires std::same_as<U, T>
  operator U() const;
};

// Whether a class has a member named `process`, private ones included: in a class that is derived from it and has
// another one, the name is ambiguous. False for a final class.
struct with_process {
  int process;
};
template <class T>
struct with_two : T, with_process {};
template <class T>
concept names_process = !std::is_final_v<T> && !requires { &with_two<T>::process; };

// Calls Derived::process for mailbox I, in the form that the class has.
template <class Derived, std::size_t I, class Spec>
struct selector_handler {
  using M = typename mailbox_spec<Spec>::message_type;
  using tag =
      std::conditional_t<std::is_void_v<typename mailbox_spec<Spec>::tag>, nth<I>, typename mailbox_spec<Spec>::tag>;
  Derived* self;

  template <class Messages, class... Sender>
  static constexpr bool has_tagged =
      requires(Derived& d, exactly<Messages> messages, Sender... sender) { d.process(tag{}, messages, sender...); };
  template <class Messages, class... Sender>
  static constexpr bool has_plain =
      std::is_void_v<typename mailbox_spec<Spec>::tag> &&
      requires(Derived& d, exactly<Messages> messages, Sender... sender) { d.process(messages, sender...); };

  static constexpr bool has_process = names_process<Derived>;
  static constexpr bool has_one_public_process = requires { &Derived::process; };

  // Tagged forms first: `process(a, sender)` also fits a tagged one-message handler of two integers.
  template <class... Arguments>
    requires(has_tagged<std::remove_cvref_t<Arguments>...> || has_plain<std::remove_cvref_t<Arguments>...>)
  decltype(auto) operator()(Arguments&&... arguments) const {
    if constexpr (has_tagged<std::remove_cvref_t<Arguments>...>) {
      return self->process(tag{}, std::forward<Arguments>(arguments)...);
    } else {
      return self->process(std::forward<Arguments>(arguments)...);
    }
  }
};

template <class Derived, class M>
struct selector_prefetch {
  Derived* self;
  const void* operator()(const M& m) const
    requires requires(Derived& d, exactly<M> message) {
      { d.prefetch(message) } -> std::convertible_to<const void*>;
    }
  {
    return self->prefetch(m);
  }
};

// One mailbox of a selector. A base class, so that all mailboxes are constructed in place and in order.
template <class Derived, std::size_t I, class Spec>
struct selector_box {
  using M = typename mailbox_spec<Spec>::message_type;
  typename mailbox_by_spec<Spec, selector_handler<Derived, I, Spec>, selector_prefetch<Derived, M>>::type box;

  selector_box(world& home, const std::string& name, Derived* self)
    requires(!message_of_any_size<M>)
      : box(home, name, {self}, {self}) {}
  selector_box(world& home, const std::string& name, Derived* self)
    requires message_of_any_size<M>
      : box(home, name, {self}) {
    static_assert(!prefetch_hook<selector_prefetch<Derived, M>, M>, "a prefetch is for messages of one size");
  }
};

template <class Derived, std::size_t I, class Spec>
  requires is_of_closures<Spec>
struct selector_box<Derived, I, Spec> {
  lambda_actor<Derived> box;

  selector_box(world& home, const std::string& name, Derived* self) : box(home, *self, name) {}
};

template <class Derived, class Sequence, class... Specs>
struct selector_boxes;
template <class Derived, std::size_t... I, class... Specs>
struct selector_boxes<Derived, std::index_sequence<I...>, Specs...> : selector_box<Derived, I, Specs>... {
  selector_boxes(world& home, const std::string& name, Derived* self)
      : selector_box<Derived, I, Specs>(home, name, self)... {}
};

}  // namespace internal

/// Base of a class that handles messages of several types:
///
///     struct gather : shoal::selector<gather, query, reply> {
///       void process(query q, shoal::pe_id from) { send(from, reply{q.slot, table[q.index]}); }
///       void process(reply r) { out[r.slot] = r.value; }
///     };
///
/// A mailbox is named by its message type, by a tag (`send<ping>(pe, m)`) or by its position (`send<0>(pe, m)`).
/// `process` takes a message or a std::span of messages, and optionally the sender. A `prefetch(const M&)` that returns
/// an address is called ahead of `process`. The handlers of a PE run one at a time, each to completion.
///
/// Construction and destruction are collective. Messages are handled only while the main program waits, so never before
/// the derived class is complete, unless its constructor waits. A selector constructed in a superstep must live until
/// `finish` returns, or call `close` before its destruction: the destructor of a base class cannot wait for handlers
/// that use members of the derived class.
template <class Derived, class... Specs>
class selector : private internal::selector_boxes<Derived, std::index_sequence_for<Specs...>, Specs...> {
  static_assert(sizeof...(Specs) > 0, "a selector has at least one mailbox");
  using boxes = internal::selector_boxes<Derived, std::index_sequence_for<Specs...>, Specs...>;
  template <class Tag>
  static constexpr bool is_tag =
      !std::is_void_v<Tag> && (std::is_same_v<typename internal::mailbox_spec<Specs>::tag, Tag> || ...);
  template <std::size_t I>
  using message_at = typename internal::mailbox_spec<std::tuple_element_t<I, std::tuple<Specs...>>>::message_type;
  // What names a mailbox without a tag: its message type.
  template <class Spec>
  using by_message = std::conditional_t<std::is_void_v<typename internal::mailbox_spec<Spec>::tag>,
                                        typename internal::mailbox_spec<Spec>::message_type, Spec>;
  // Whether a value of type `Given` is a message of this mailbox, if none has that very type: a text or a vector in
  // another form.
  template <class Spec, class Given>
  static constexpr bool is_form = internal::message_of_any_size<by_message<Spec>> &&
                                  std::is_same_v<internal::sent_as_t<by_message<Spec>>, internal::sent_as_t<Given>>;
  template <class MessageOrTag>
  static constexpr bool is_named =
      is_tag<MessageOrTag> ? (std::is_same_v<typename internal::mailbox_spec<Specs>::tag, MessageOrTag> || ...)
                           : (std::is_same_v<by_message<Specs>, MessageOrTag> || ...);
  template <class MessageOrTag, class Spec>
  static constexpr bool names =
      is_tag<MessageOrTag>     ? std::is_same_v<typename internal::mailbox_spec<Spec>::tag, MessageOrTag>
      : is_named<MessageOrTag> ? std::is_same_v<by_message<Spec>, MessageOrTag>
                               : is_form<Spec, MessageOrTag>;
  template <class MessageOrTag, bool TakesAny>
  static constexpr std::size_t position_of() {
    constexpr bool all[] = {names<MessageOrTag, Specs>...};
    std::size_t n = 0;
    std::size_t position = 0;
    for (std::size_t i = 0; i < sizeof...(Specs); ++i) {
      if (all[i] && n++ == 0) position = i;
    }
    constexpr std::size_t n_named = (std::size_t{names<MessageOrTag, Specs>} + ...);
    static_assert(n_named != 0 || TakesAny, "this selector has no mailbox of this message type or tag");
    static_assert(n_named < 2, "several mailboxes have this message type; name one by position or tag");
    return position;
  }
  template <class Tag>
  using message_of_tag = message_at<position_of<Tag, false>()>;
  template <std::size_t I>
  static constexpr bool is_of_closures = std::is_same_v<message_at<I>, closures>;
  // Nothing converts to the message of a selector with several mailboxes.
  struct none {
    none() = delete;
    none(const none&) = delete;
  };
  using only_message = typename std::conditional_t<
      sizeof...(Specs) == 1, std::tuple_element<0, std::tuple<typename internal::mailbox_spec<Specs>::message_type...>>,
      std::type_identity<none>>::type;

public:
  explicit selector(world& home, const std::string& name = internal::type_name<Derived>())
      : boxes(home, name, static_cast<Derived*>(this)) {
    if constexpr (requires { typename Derived::termination; }) declare(typename Derived::termination{});
  }
  selector(const selector&) = delete;
  selector& operator=(const selector&) = delete;

  ~selector() { mailbox::close_together(mailboxes(), false); }

  /// Ends the selector's life early: waits until all its messages are handled everywhere. Afterwards nothing may be
  /// sent to it. Collective, in a superstep; not in a handler.
  void close() { mailbox::close_together(mailboxes(), true); }
  /// The same for one mailbox, while the others continue. As mailbox::close.
  template <class MessageOrTag>
  void close() {
    mailbox_of<MessageOrTag>().close();
  }

  /// A future of the end of all its mailboxes, or of one. As mailbox::closed.
  future<void> closed(const std::source_location where = std::source_location::current()) {
    return mailbox::closed_together(mailboxes(), where);
  }
  template <class MessageOrTag>
  future<void> closed(const std::source_location where = std::source_location::current()) {
    return mailbox_of<MessageOrTag>().closed(where);
  }

  /// Sends to the mailbox of this message type, or to the only one. As typed_mailbox::send. Where the mailbox is given,
  /// braces make its message: `send(pe, {a, b})` to the only one, `send<0>(pe, {a, b})`, `send<ping>(pe, {a, b})`.
  template <class M = only_message>
  void send(pe_id target, const M& m) {
    mailbox_at<position_of<M, sizeof...(Specs) == 1>()>().send(target, m);
  }
  /// Sends to the mailbox at position I, or to the one with the tag.
  template <std::size_t I, class M = message_at<I>>
    requires(!is_of_closures<I>)
  void send(pe_id target, const M& m) {
    mailbox_at<I>().send(target, m);
  }
  template <class Tag, class M = message_of_tag<Tag>>
    requires is_tag<Tag> && (!std::is_same_v<message_of_tag<Tag>, closures>)
  void send(pe_id target, const M& m) {
    mailbox_of<Tag>().send(target, m);
  }
  /// Sends a closure, or a call with arguments, to such a mailbox. As lambda_actor::send, with the selector for context.
  template <std::size_t I, class F, class... Arguments>
    requires(is_of_closures<I>)
  void send(const internal::call_target& target, const F& f, const Arguments&... arguments) {
    send_closure(mailbox_at<I>(), target, f, arguments...);
  }
  template <class Tag, class F, class... Arguments>
    requires is_tag<Tag> && std::is_same_v<message_of_tag<Tag>, closures>
  void send(const internal::call_target& target, const F& f, const Arguments&... arguments) {
    send_closure(mailbox_of<Tag>(), target, f, arguments...);
  }

  /// Asks the mailbox of this message type, which is declared as a shoal::question, or the only one. As
  /// answering_mailbox::ask.
  template <class M = only_message>
  auto ask(pe_id target, const M& m, const std::source_location where = std::source_location::current()) {
    return ask_at<position_of<M, sizeof...(Specs) == 1>()>(target, m, where);
  }
  template <std::size_t I, class M = message_at<I>>
  auto ask(pe_id target, const M& m, const std::source_location where = std::source_location::current()) {
    return ask_at<I>(target, m, where);
  }
  template <class Tag, class M = message_of_tag<Tag>>
    requires is_tag<Tag>
  auto ask(pe_id target, const M& m, const std::source_location where = std::source_location::current()) {
    return ask_at<position_of<Tag, false>()>(target, m, where);
  }

  /// Asks the mailbox of this message type, or the only one, each query at PE target_of(query). As
  /// answering_mailbox::ask_all.
  template <class Queries, class Into, class TargetOf>
  future<void> ask_all(const Queries& queries, Into&& into, const TargetOf& target_of,
                       const std::source_location where = std::source_location::current()) {
    return mailbox_at<position_of<internal::query_of<Queries>, sizeof...(Specs) == 1>()>().ask_all(queries, into,
                                                                                                   target_of, where);
  }
  template <std::size_t I, class Queries, class Into, class TargetOf>
  future<void> ask_all(const Queries& queries, Into&& into, const TargetOf& target_of,
                       const std::source_location where = std::source_location::current()) {
    return mailbox_at<I>().ask_all(queries, into, target_of, where);
  }

  /// One mailbox, for try_send, limits, guards, done and counts.
  template <std::size_t I>
  auto& mailbox_at() noexcept {
    using spec = std::tuple_element_t<I, std::tuple<Specs...>>;
    return static_cast<internal::selector_box<Derived, I, spec>&>(*this).box;
  }
  template <class MessageOrTag>
  auto& mailbox_of() noexcept {
    return mailbox_at<position_of<MessageOrTag, false>()>();
  }

  /// All mailboxes, by position.
  std::array<mailbox*, sizeof...(Specs)> mailboxes() noexcept {
    return [this]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<mailbox*, sizeof...(Specs)>{&mailbox_at<I>()...};
    }(std::index_sequence_for<Specs...>{});
  }

  /// Promises that this PE's main program sends no more to one mailbox, or to all. As mailbox::done.
  template <class MessageOrTag>
  void done() {
    mailbox_of<MessageOrTag>().done();
  }
  void done() {
    for (mailbox* each : mailboxes()) each->done();
  }

private:
  template <class F, class... Arguments>
  static void send_closure(lambda_actor<Derived>& to, const internal::call_target& target, const F& f,
                           const Arguments&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
      to.send(target.pe, f, target.where);
    } else {
      to.call(target, f, arguments...);
    }
  }

  template <std::size_t I, class M>
  auto ask_at(pe_id target, const M& m, const std::source_location& where) {
    constexpr bool has_answers = internal::is_question<std::tuple_element_t<I, std::tuple<Specs...>>>;
    static_assert(has_answers, "this mailbox gives no answers: it is not declared as shoal::question<message, answer>");
    if constexpr (has_answers) return mailbox_at<I>().ask(target, m, where);
  }

  template <class Name>
  mailbox& named() noexcept {
    if constexpr (requires { static_cast<nth<Name::value>>(Name{}); }) {
      return mailbox_at<Name::value>();
    } else {
      return mailbox_of<Name>();
    }
  }
  template <class... Fed>
  void declare(termination_graph<Fed...>) {
    (declare_one(Fed{}), ...);
  }
  template <class To, class... From>
  void declare_one(fed<To, From...>) {
    named<To>().fed_by(named<From>()...);
  }
};

}  // namespace shoal
