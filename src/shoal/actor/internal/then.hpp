/// What follows an answer: functions given to `then`, and answers that are passed on.
#pragma once

#include <source_location>
#include <type_traits>
#include <utility>

#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/kept_function.hpp"

namespace shoal::internal {

/// A function given to `then` that makes a part of another answer: its base class.
struct makes_part_of {
  const pending_answer* whole;
};
/// One that lets a task begin: its base class; it says for which mailbox the task counts.
struct begins_task {};

/// Calls f with the value of an answer.
template <class T, class F>
decltype(auto) call_with_answer(F& f, value_of_answer<T>&& value) {
  if constexpr (std::is_void_v<T>) {
    return f();
  } else {
    return f(std::move(value));
  }
}
template <class T, class F>
using result_with_answer =
    std::remove_cvref_t<decltype(call_with_answer<T>(std::declval<F&>(), std::declval<value_of_answer<T>&&>()))>;

/// The place of an answer that somebody makes and nobody takes.
inline pending_answer& open_unwanted(answers& all) {
  pending_answer& a = all.open(pending_answer::of_here, {});
  a.is_wanted = false;
  return a;
}

/// Gives an answer what f makes of another one. `to` is null if nobody wants it.
template <class T, class F>
void give_result(answers& all, pending_answer* to, F& f, value_of_answer<T>&& value) {
  using result = result_with_answer<T, F>;
  if constexpr (answers_later<F, result>) {
    kept_function<F> kept(std::move(f));
    call_with_answer<T>(*kept, std::move(value)).forward(to == nullptr ? open_unwanted(all) : *to, std::move(kept));
  } else if (to == nullptr) {
    call_with_answer<T>(f, std::move(value));
  } else if constexpr (std::is_void_v<result>) {
    call_with_answer<T>(f, std::move(value));
    answers::give(*to, bare_answer{});
  } else if constexpr (is_future<result>) {
    call_with_answer<T>(f, std::move(value)).forward(*to, bare_answer{});
  } else {
    answers::give(*to, result(call_with_answer<T>(f, std::move(value))));
  }
}

template <class T, class F>
class then_continuation final : public continuation, public answer_maker {
public:
  /// Takes the answer `from`, and makes `result`.
  then_continuation(pending_answer& from, F&& f, pending_answer& result)
      : answer_maker{&result}, from_(from), f_(std::move(f)) {
    result.set_maker(*this);
  }

  void run() override {
    answers& all = answers::of(from_);
    // From now on the place stays until the answer is there, even if f drops the future of its own result.
    if (to != nullptr) to->has_maker = false;
    auto value = answers::take<value_of_answer<T>>(from_);
    give_result<T>(all, to, f_, std::move(value));
    all.destroy(*this);
  }
  void drop() noexcept override {
    answers& all = answers::of(from_);
    if (to != nullptr) answers::abandon(*to);
    answers::forgo(from_);
    all.destroy(*this);
  }
  const superstep_part* mailbox_of_task() const noexcept override {
    if constexpr (std::is_base_of_v<begins_task, F>) return f_.mailbox_of_task();
    return nullptr;
  }
  const pending_answer* gives() const noexcept override {
    if constexpr (std::is_base_of_v<makes_part_of, F>) return f_.whole;
    return to;
  }

private:
  pending_answer& from_;
  F f_;
};

/// Passes an answer on, and keeps what its maker needs.
template <class T, class Kept>
class forwarding final : public continuation {
public:
  forwarding(pending_answer& from, pending_answer& to, Kept&& kept) : from_(from), to_(to), kept_(std::move(kept)) {}

  void run() override {
    answers& all = answers::of(from_);
    answers::give(to_, answers::take<value_of_answer<T>>(from_));
    all.destroy(*this);
  }
  void drop() noexcept override {
    answers& all = answers::of(from_);
    answers::abandon(to_);
    answers::forgo(from_);
    all.destroy(*this);
  }
  const pending_answer* gives() const noexcept override { return &to_; }

private:
  pending_answer& from_;
  pending_answer& to_;
  [[no_unique_address]] Kept kept_;
};

}  // namespace shoal::internal
