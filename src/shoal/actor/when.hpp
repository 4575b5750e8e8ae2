/// Futures of several answers: of all of them, and of the first.
///
///     when_all(std::move(a), std::move(b)).then([](std::tuple<int, double> both) { … });
///     auto [which, value] = when_any(std::move(answers)).get();
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/future.hpp"

namespace shoal {

namespace internal {

template <class T>
using answer_in_tuple = std::conditional_t<std::is_void_v<T>, std::tuple<>, std::tuple<value_of_answer<T>>>;
/// The values of all futures that have one.
template <class... T>
using answers_in_tuple = decltype(std::tuple_cat(std::declval<answer_in_tuple<T>>()...));

template <class... T>
struct all_answers {
  explicit all_answers(const std::source_location& where) : whole(where) {}

  promise<answers_in_tuple<T...>> whole;
  std::tuple<std::optional<value_of_answer<T>>...> values;
  std::size_t n_missing = sizeof...(T);

  void note() {
    if (--n_missing != 0) return;
    whole.set(std::apply([](auto&... each) { return std::tuple_cat(in_tuple(each)...); }, values));
  }

private:
  static std::tuple<> in_tuple(std::optional<bare_answer>&) { return {}; }
  template <class Value>
  static std::tuple<Value> in_tuple(std::optional<Value>& value) {
    return {std::move(*value)};
  }
};

/// Calls f() on the PE's own thread: at once, or later, if a task on another worker calls this. All that waits for several answers
/// is counted there.
template <class F>
void on_own_thread(F&& f) {
  if (pe_worker* const other = other_worker(); other != nullptr) [[unlikely]] {
    other->post(std::forward<F>(f));
  } else {
    f();
  }
}

/// What waits for `a`, which is not ready, waits no more, and nobody wants the answer.
void await_no_more(pending_answer& a) noexcept;

/// Ends the job: when_any of no future.
[[noreturn]] void refuse_first_of_none(const std::source_location& where) noexcept;

/// Calls f(value) with one of the answers of which `whole` is made.
template <class T, class F>
struct part_of_answer : makes_part_of {
  F f;

  void operator()(value_of_answer<T>&& value)
    requires(!std::is_void_v<T>)
  {
    f(std::move(value));
  }
  void operator()()
    requires std::is_void_v<T>
  {
    f(bare_answer{});
  }
};

/// Calls f(value) when the answer is there.
template <class T, class F>
void follow(future<T>& answer, const pending_answer* whole, F f, const std::source_location& where) {
  answer.then(part_of_answer<T, F>{{whole}, std::move(f)}, where);
}

template <class... T>
future<answers_in_tuple<T...>> when_all_of(const std::source_location& where, future<T>... each) {
  auto all = std::make_shared<all_answers<T...>>(where);
  auto whole = all->whole.get_future(where);
  on_own_thread([all, to = whole.to_come(), where, each = std::tuple<future<T>...>(std::move(each)...)]() mutable {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (follow(
           std::get<I>(each), to,
           [all](value_of_answer<T>&& value) {
             std::get<I>(all->values).emplace(std::move(value));
             all->note();
           },
           where),
       ...);
    }(std::index_sequence_for<T...>{});
  });
  return whole;
}

}  // namespace internal

/// A future of the values of all its futures, in this order; those without a value are left out. Local, does not wait.
template <class A, class B>
auto when_all(future<A> a, future<B> b, const std::source_location where = std::source_location::current()) {
  return internal::when_all_of(where, std::move(a), std::move(b));
}
template <class A, class B, class C>
auto when_all(future<A> a, future<B> b, future<C> c,
              const std::source_location where = std::source_location::current()) {
  return internal::when_all_of(where, std::move(a), std::move(b), std::move(c));
}
template <class A, class B, class C, class D>
auto when_all(future<A> a, future<B> b, future<C> c, future<D> d,
              const std::source_location where = std::source_location::current()) {
  return internal::when_all_of(where, std::move(a), std::move(b), std::move(c), std::move(d));
}

/// The same for any number of futures of one type: a future of a vector of their values, or of nothing.
template <class T>
auto when_all(std::vector<future<T>> each, const std::source_location where = std::source_location::current()) {
  using values = std::conditional_t<std::is_void_v<T>, void, std::vector<internal::value_of_answer<T>>>;
  struct state {
    promise<values> whole;
    std::vector<std::optional<internal::value_of_answer<T>>> found;
    std::size_t n_missing;

    void finish() {
      if constexpr (std::is_void_v<T>) {
        whole.set();
      } else {
        values all;
        all.reserve(found.size());
        for (auto& value : found) all.push_back(std::move(*value));
        whole.set(std::move(all));
      }
    }
  };
  auto all = std::make_shared<state>(promise<values>(where), decltype(state::found)(each.size()), each.size());
  future<values> whole = all->whole.get_future(where);
  if (each.empty()) all->finish();
  internal::on_own_thread([all, to = whole.to_come(), where, each = std::move(each)]() mutable {
    for (std::size_t i = 0; i < each.size(); ++i) {
      internal::follow(
          each[i], to,
          [all, i](internal::value_of_answer<T>&& value) {
            all->found[i].emplace(std::move(value));
            if (--all->n_missing == 0) all->finish();
          },
          where);
    }
  });
  return whole;
}

namespace internal {

template <class T>
class racing;

/// What waits for the first of several answers.
template <class T>
struct race {
  using found = std::conditional_t<std::is_void_v<T>, std::size_t, std::pair<std::size_t, value_of_answer<T>>>;

  explicit race(const std::source_location& where) : first(where) {}

  promise<found> first;
  std::vector<racing<T>*> waiting;  // those whose answers are not there

  /// An answer is there; the others are not awaited any more.
  void end(std::size_t which, [[maybe_unused]] value_of_answer<T>&& value) {
    for (racing<T>* each : std::exchange(waiting, {})) each->leave();
    if constexpr (std::is_void_v<T>) {
      first.set(which);
    } else {
      first.set({which, std::move(value)});
    }
  }
};

template <class T>
class racing final : public continuation {
public:
  racing(pending_answer& from, std::shared_ptr<race<T>> of, std::size_t which)
      : from_(from), race_(std::move(of)), which_(which) {}

  void run() override {
    answers& all = answers::of(from_);
    const std::shared_ptr<race<T>> its = race_;
    const std::size_t which = which_;
    auto value = answers::take<value_of_answer<T>>(from_);
    const bool is_first = std::erase(its->waiting, this) != 0;
    all.destroy(*this);
    if (is_first) its->end(which, std::move(value));
  }
  void drop() noexcept override {
    answers& all = answers::of(from_);
    answers::forgo(from_);
    all.destroy(*this);
  }
  /// Another answer came first.
  void leave() noexcept {
    // It runs when the answer is there, and drops it.
    if (from_.is_ready || from_.follows_end) return;
    answers& all = answers::of(from_);
    await_no_more(from_);
    all.destroy(*this);
  }

private:
  pending_answer& from_;
  std::shared_ptr<race<T>> race_;
  std::size_t which_;
};

}  // namespace internal

/// A future of the first answer of `each` that is there, and of its index; of the index alone if answers have no value. At
/// least one. Nobody waits for the other answers any more, except for ends of mailboxes. Local, does not wait.
template <class T>
auto when_any(std::vector<future<T>> each, const std::source_location where = std::source_location::current()) {
  if (each.empty()) internal::refuse_first_of_none(where);
  auto any = std::make_shared<internal::race<T>>(where);
  future<typename internal::race<T>::found> first = any->first.get_future(where);
  internal::on_own_thread([any, where, each = std::move(each)]() mutable {
    for (std::size_t i = 0; i < each.size(); ++i) {
      if (each[i].is_ready()) return any->end(i, each[i].take());
    }
    for (std::size_t i = 0; i < each.size(); ++i) {
      internal::pending_answer* const from = each[i].release();
      if (from == nullptr) internal::answers::refuse_second_use("when_any");
      internal::answers& all = internal::answers::of(*from);
      auto& its = all.template make<internal::racing<T>>(*from, any, i);
      all.attach(*from, its, where);
      any->waiting.push_back(&its);
    }
  });
  return first;
}

}  // namespace shoal
