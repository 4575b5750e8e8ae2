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

/// Ends the job: when_any of no future.
[[noreturn]] void refuse_first_of_none(const std::source_location& where) noexcept;

/// Calls f(value) when the answer is there; f() if it has no value.
template <class T, class F>
void follow(future<T>& answer, F f, const std::source_location& where) {
  if constexpr (std::is_void_v<T>) {
    answer.then([f = std::move(f)]() mutable { f(bare_answer{}); }, where);
  } else {
    answer.then(std::move(f), where);
  }
}

}  // namespace internal

/// A future of the values of all `each`, in this order; those without a value are left out. Local, does not wait.
template <class... T>
future<internal::answers_in_tuple<T...>> when_all(future<T>... each) {
  const auto where = std::source_location::current();
  auto all = std::make_shared<internal::all_answers<T...>>(where);
  auto whole = all->whole.get_future(where);
  if constexpr (sizeof...(T) == 0) {
    all->whole.set({});
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (internal::follow(
           each,
           [all](internal::value_of_answer<T>&& value) {
             std::get<I>(all->values).emplace(std::move(value));
             all->note();
           },
           where),
       ...);
    }(std::index_sequence_for<T...>{});
  }
  return whole;
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
  for (std::size_t i = 0; i < each.size(); ++i) {
    internal::follow(
        each[i],
        [all, i](internal::value_of_answer<T>&& value) {
          all->found[i].emplace(std::move(value));
          if (--all->n_missing == 0) all->finish();
        },
        where);
  }
  return whole;
}

/// A future of the first answer of `each` that is there, and of its index; of the index alone if answers have no value. At
/// least one. The other answers are dropped. Local, does not wait.
template <class T>
auto when_any(std::vector<future<T>> each, const std::source_location where = std::source_location::current()) {
  using found =
      std::conditional_t<std::is_void_v<T>, std::size_t, std::pair<std::size_t, internal::value_of_answer<T>>>;
  struct state {
    promise<found> first;
    bool is_there = false;
  };
  if (each.empty()) internal::refuse_first_of_none(where);
  auto any = std::make_shared<state>(promise<found>(where));
  future<found> first = any->first.get_future(where);
  for (std::size_t i = 0; i < each.size(); ++i) {
    internal::follow(
        each[i],
        [any, i]([[maybe_unused]] internal::value_of_answer<T>&& value) {
          if (std::exchange(any->is_there, true)) return;
          if constexpr (std::is_void_v<T>) {
            any->first.set(i);
          } else {
            any->first.set({i, std::move(value)});
          }
        },
        where);
  }
  return first;
}

}  // namespace shoal
