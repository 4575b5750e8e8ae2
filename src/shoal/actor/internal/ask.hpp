/// Questions: calls whose results travel back.
///
/// A question is a call that carries the number of the place of its answer. Its reply is a call, too, of the closures of
/// its superstep, which puts the value there. So nothing but closures travels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

#include "shoal/actor/future.hpp"
#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/call.hpp"
#include "shoal/base/serializable.hpp"
#include "shoal/base/types.hpp"

namespace shoal {
template <class Context>
class lambda_actor;
}

namespace shoal::internal {

// In world.hpp.
inline lambda_actor<world>& closures_of(world& home) noexcept;  // those of the superstep

/// What comes back if a call returns `Result`.
template <class Result>
using answer_of_result = typename value_of_future<std::remove_cvref_t<Result>>::type;

template <class F, class Context, class Shape>
struct result_of_call;
template <class F, class Context, call_form Form, class... Values>
struct result_of_call<F, Context, call_shape<Form, Values...>> {
  using callee = std::conditional_t<has_mutable_call<F>, F, const F>;
  using type = decltype(call_in_form<Form>(std::declval<callee&>(), std::declval<Context&>(), pe_id{},
                                           std::declval<Values>()...));
};
template <class F, class Context, class... Arguments>
using answer_to_call =
    answer_of_result<typename result_of_call<F, Context, call_shape_of<F, Context, Arguments...>>::type>;

template <class Queries>
using query_of = std::remove_cvref_t<decltype(*std::begin(std::declval<const Queries&>()))>;
template <class F, class Context, class Queries>
using answer_to_query = value_of_answer<answer_to_call<F, Context, query_of<Queries>>>;  // ask_all refuses void

template <class R>
constexpr bool require_travel() {
  static_assert(std::is_void_v<R> || serializable<R>,
                "the answer does not travel: it is neither plain bytes without addresses nor a standard container of "
                "what travels, and has no function serialize(archive, value)");
  static_assert(!is_view<R>,
                "an answer outlasts the message in which it comes: let the function return a text or a container, no "
                "view");
  return true;
}

// --- Replies

/// The reply to one question.
template <class R>
struct keep_answer {
  std::uint32_t question;

  void operator()(world& there, R value) const {
    answers& all = answers_of(there);
    all.questions().note_reply();
    all.give_and_run(all.at(question), std::move(value));
  }
  // The place and what waits: thousands are under way, more than fit into a core's own caches.
  const void* prefetch(world& there) const noexcept { return answers_of(there).address_of(question); }
  const void* prefetch_further(world& there) const noexcept { return answers_of(there).address_of(question)->waiting; }
};
template <class R>
  requires std::is_void_v<R>
struct keep_answer<R> {
  std::uint32_t question;

  void operator()(world& there) const {
    answers& all = answers_of(there);
    all.questions().note_reply();
    all.give_and_run(all.at(question), bare_answer{});
  }
  const void* prefetch(world& there) const noexcept { return answers_of(there).address_of(question); }
  const void* prefetch_further(world& there) const noexcept { return answers_of(there).address_of(question)->waiting; }
};

/// What lies in the place of the answer of ask_all until that is ready.
struct ordered_answers {
  void* into;
  std::uint64_t n_missing;

  static ordered_answers& of(pending_answer& a) noexcept {
    return *std::launder(reinterpret_cast<ordered_answers*>(a.value));
  }
};

/// The reply to one of many questions.
template <class R>
struct keep_answer_at {
  std::uint32_t question;
  std::uint32_t place;

  void operator()(world& there, R value) const {
    answers& all = answers_of(there);
    pending_answer& a = all.at(question);
    ordered_answers& its = ordered_answers::of(a);
    static_cast<R*>(its.into)[place] = std::move(value);
    if (--its.n_missing != 0) [[likely]]
      return;
    all.give_and_run(a, bare_answer{});
  }
};

// `World` is world, which is not complete here.
template <class World, class Keep, class... Value>
void reply(World& home, pe_id to, const Keep& keep, const Value&... value) {
  closures_of(home).call(call_target(to, {}), keep, value...);
}

/// A reply that waits for its value.
template <class R, class Keep>
class late_reply final : public continuation {
public:
  late_reply(future<R>&& from, pe_id to, const Keep& keep) : from_(std::move(from)), to_(to), keep_(keep) {}

  void run() override {
    world& home = current_world();
    if constexpr (std::is_void_v<R>) {
      from_.take();
      reply(home, to_, keep_);
    } else {
      reply(home, to_, keep_, from_.take());
    }
    answers_of(home).destroy(*this);
  }
  void drop() noexcept override { answers::current().destroy(*this); }
  pe_id replies_to() const noexcept override { return to_; }

private:
  future<R> from_;
  pe_id to_;
  Keep keep_;
};

/// Replies with the value of a future when it is there.
template <class R, class Keep>
void reply_with(world& home, pe_id to, const Keep& keep, future<R>&& answer) {
  if (!answer.is_ready()) {
    pending_answer* const from = answer.to_come();
    if (from == nullptr) answers::refuse_second_use("return");
    answers& all = answers_of(home);
    all.attach(*from, all.make<late_reply<R, Keep>>(std::move(answer), to, keep), {});
  } else if constexpr (std::is_void_v<R>) {
    answer.take();
    reply(home, to, keep);
  } else {
    reply(home, to, keep, answer.take());
  }
}

// --- Questions

/// Suspends the task that calls, which runs on another worker, until its PE's own thread has called f(argument).
void wait_for_own_thread(world& home, void (*f)(void*), void* argument, const std::source_location& where);
template <class F>
void wait_for_own_thread(world& home, F f, const std::source_location& where) {
  wait_for_own_thread(home, [](void* its) { (*static_cast<F*>(its))(); }, &f, where);
}

/// A call whose result goes to `keep`, at the PE that asks.
template <class F, class Context, class Shape, class Keep>
struct call_with_reply;
template <class F, class Context, call_form Form, class... Values, class Keep>
struct call_with_reply<F, Context, call_shape<Form, Values...>, Keep> {
  [[no_unique_address]] F f;
  Keep keep;

  void operator()(Context& context, pe_id from, Values... values) const {
    using result = typename result_of_call<F, Context, call_shape<Form, Values...>>::type;
    std::conditional_t<has_mutable_call<F>, F, const F&> its = f;
    if constexpr (std::is_void_v<result>) {
      make_call<Form>(its, context, from, std::forward<Values>(values)...);
      reply(home_of(context), from, keep);
    } else if constexpr (is_future<std::remove_cvref_t<result>>) {
      reply_with(home_of(context), from, keep, make_call<Form>(its, context, from, std::forward<Values>(values)...));
    } else {
      const auto& value = make_call<Form>(its, context, from, std::forward<Values>(values)...);
      reply(home_of(context), from, keep, value);
    }
  }

private:
  static world& home_of(Context& context) {
    if constexpr (std::is_same_v<Context, world>) {
      return context;
    } else {
      return current_world();
    }
  }
};

template <class F, class Context, class Shape, class Keep>
struct named_as<call_with_reply<F, Context, Shape, Keep>> : named_as<F> {};

/// Calls send(query, number, place) for each query, and gives a future of all their answers.
template <class Queries, class R, class Send>
future<void> ask_in_order(world& home, const Queries& queries, std::span<R> into, const std::source_location& where,
                          const Send& send) {
  if (other_worker() != nullptr) [[unlikely]] {
    // The answers are counted in their common place, on the PE's own thread.
    future<void> all_there;
    wait_for_own_thread(home, [&] { all_there = ask_in_order(home, queries, into, where, send); }, where);
    return all_there;
  }
  answers& all = answers_of(home);
  pending_answer& a = all.open(pending_answer::of_many, where, number_for_answers(home));
  future<void> all_there(a);
  auto& its = *::new (static_cast<void*>(a.value)) ordered_answers{into.data(), 1};
  std::uint32_t place = 0;
  for (const auto& query : queries) {
    if (place == into.size() || place == UINT32_MAX) answers::refuse_size(place);
    all.questions().note_in_order(its.n_missing);
    send(query, a.number, place++);
  }
  if (--its.n_missing == 0) answers::give(a, bare_answer{});
  return all_there;
}

/// lambda_actor::ask and ask_all.
template <class Context>
struct asking {
  template <class Actor, class F, class... Arguments>
  static auto ask(Actor& through, world& home, const call_target& target, const F& f, const Arguments&... arguments) {
    using shape = call_shape_of<F, Context, Arguments...>;
    using R = answer_to_call<F, Context, Arguments...>;
    require_travel<R>();
    answers& all = answers_of(home);
    all.questions().note();
    pending_answer& a = all.open(target.pe, target.where, number_for_answers(home));
    future<R> answer(a);
    through.call(target, call_with_reply<F, Context, shape, keep_answer<R>>{f, {a.number}}, arguments...);
    return answer;
  }

  template <class Actor, class Queries, class R, class TargetOf, class F>
  static future<void> ask_all(Actor& through, world& home, const Queries& queries, std::span<R> into,
                              const TargetOf& target_of, const F& f, const std::source_location& where) {
    using shape = call_shape_of<F, Context, query_of<Queries>>;
    constexpr bool has_answers = !std::is_void_v<answer_to_call<F, Context, query_of<Queries>>>;
    static_assert(has_answers, "ask_all puts the answers into their places; this function returns none");
    if constexpr (has_answers) {
      require_travel<R>();
      return ask_in_order(
          home, queries, into, where, [&](const auto& query, std::uint32_t number, std::uint32_t place) {
            through.call(call_target(target_of(query), where),
                         call_with_reply<F, Context, shape, keep_answer_at<R>>{f, {number, place}}, query);
          });
    }
  }
};

}  // namespace shoal::internal
