/// Coroutines that return a future: handlers that ask further PEs before they answer, and their helpers.
#pragma once

#include <coroutine>
#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "shoal/actor/future.hpp"
#include "shoal/actor/internal/answers.hpp"

namespace shoal {
template <class HeaderOrElement, class Element>
struct list;
}

namespace shoal::internal {

template <class P>
inline constexpr bool is_aligned_in_frame = alignof(std::conditional_t<std::is_reference_v<P>, char, P>) <= 16;

/// `co_await future`. A part of the coroutine's frame.
template <class T>
class awaited_future final : public continuation {
  static_assert(is_aligned_in_frame<value_of_answer<T>>,
                "compilers align what a coroutine keeps to 16 bytes at most: take an answer that wants more by then or "
                "get");

public:
  awaited_future(future<T>&& from, const std::source_location& at) noexcept : from_(std::move(from)), at_(at) {}

  bool await_ready() const noexcept { return from_.is_ready(); }
  void await_suspend(std::coroutine_handle<> suspended) {
    pending_answer* const a = from_.to_come();
    if (a == nullptr) answers::refuse_second_use("co_await");
    suspended_ = suspended;
    answers::of(*a).attach(*a, *this, at_);
  }
  T await_resume() {
    if constexpr (std::is_void_v<T>) {
      from_.take();
    } else {
      return from_.take();
    }
  }

  void run() override { suspended_.resume(); }
  void drop() noexcept override { suspended_.destroy(); }

private:
  future<T> from_;
  std::source_location at_;
  std::coroutine_handle<> suspended_;
};

/// The promise type of a coroutine without its return. The coroutine begins at once, in its caller, and is resumed as a
/// handler (answers::run_ready). It never resumes another one itself.
template <class T>
class coroutine_base {
public:
  coroutine_base() : answer_(&answers::current().open(pending_answer::of_here, {})) {}
  ~coroutine_base() {
    if (answer_ != nullptr) answers::abandon(*answer_);
  }
  coroutine_base(const coroutine_base&) = delete;
  coroutine_base& operator=(const coroutine_base&) = delete;

  future<T> get_return_object() noexcept { return future<T>(*answer_); }
  static std::suspend_never initial_suspend() noexcept { return {}; }
  static std::suspend_never final_suspend() noexcept { return {}; }
  // To whoever runs it: a handler's caller, or answers::run_ready. Both end the job.
  [[noreturn]] static void unhandled_exception() { throw; }

  template <class U>
  static awaited_future<U> await_transform(future<U>&& from,
                                           const std::source_location at = std::source_location::current()) noexcept {
    return {std::move(from), at};
  }
  template <class U>
  static awaited_future<U> await_transform(future<U>& from,
                                           const std::source_location at = std::source_location::current()) noexcept {
    return {std::move(from), at};
  }

  static void* operator new(std::size_t bytes) { return answers::current().allocate(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { answers::current().deallocate(frame, bytes); }

protected:
  void answer(value_of_answer<T>&& value) { answers::give(*std::exchange(answer_, nullptr), std::move(value)); }

private:
  pending_answer* answer_;  // null: given
};

template <class T>
struct coroutine : coroutine_base<T> {
  template <class U = T>
    requires std::is_convertible_v<U, T>
  void return_value(U&& value) {
    this->answer(T(std::forward<U>(value)));
  }
};
template <class T>
  requires std::is_void_v<T>
struct coroutine<T> : coroutine_base<T> {
  void return_void() { this->answer({}); }
};

// Whether a parameter shows memory that may be another's when the coroutine is resumed.
template <class T>
inline constexpr bool is_view = false;
template <class T, std::size_t N>
inline constexpr bool is_view<std::span<T, N>> = true;
template <class Char, class Traits>
inline constexpr bool is_view<std::basic_string_view<Char, Traits>> = true;
template <class Header, class Element>
inline constexpr bool is_view<list<Header, Element>> = true;

template <class P>
inline constexpr bool is_kept = !is_view<std::remove_cvref_t<P>> && !std::is_rvalue_reference_v<P> &&
                                !(std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>);

template <class... P>
inline constexpr bool are_kept = true;
// The first may be the object of a member function or a lambda.
template <class First, class... Rest>
inline constexpr bool are_kept<First, Rest...> = !is_view<std::remove_cvref_t<First>> && (is_kept<Rest> && ...);

}  // namespace shoal::internal

/// Any function that returns a shoal::future may be a coroutine.
template <class T, class... P>
struct std::coroutine_traits<shoal::future<T>, P...> {
  static_assert(shoal::internal::are_kept<P...>,
                "a coroutine takes its parameters by value: a view or a const reference would show a message whose "
                "buffer holds another one when the coroutine is resumed");
  static_assert((shoal::internal::is_aligned_in_frame<P> && ...),
                "compilers align what a coroutine keeps to 16 bytes at most: take a parameter that wants more in a "
                "handler that is no coroutine");
  using promise_type = shoal::internal::coroutine<T>;
};
