/// Answers that come later: `future`, `promise`, and coroutines that wait for them.
///
///     shoal::future<long> answer = world.ask(owner, [i](shoal::world& there) { return … });
///     answer.then([&](long value) { … });      // runs as a handler when the answer is there
///     long value = answer.get();               // or: the main program waits
///     long value = co_await answer;            // or: a coroutine that returns a future is resumed
///
/// Each answer is taken once. A future that is dropped is fine; its answer is dropped, too. `finish` waits for the
/// answers to all questions of its superstep, and for all that waits for them.
#pragma once

#include <cstddef>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/kept_function.hpp"
#include "shoal/actor/internal/then.hpp"

namespace shoal {

/// An answer that is there or will come. Move-only. Local to its PE: it is never sent. May outlive its world if it is
/// not used afterwards.
template <class T>
class future {
  static_assert(std::is_void_v<T> || (std::is_object_v<T> && std::is_same_v<T, std::remove_cv_t<T>>),
                "an answer is a value or void");
  using value_type = internal::value_of_answer<T>;

public:
  /// Has no answer to give.
  future() = default;
  /// An answer that is there: a handler that knows it at once returns it.
  template <class U = T>
    requires(!std::is_void_v<T> && std::is_convertible_v<U, value_type> && !internal::is_future<std::remove_cvref_t<U>>)
  future(U&& value) {
    set(value_type(std::forward<U>(value)));
  }
  /// The same without a value.
  static future ready()
    requires std::is_void_v<T>
  {
    future done;
    done.set({});
    return done;
  }

  future(future&& from) noexcept : to_come_(std::exchange(from.to_come_, nullptr)), here_(from.here_) {
    from.here_.forget();
  }
  future& operator=(future&& from) noexcept {
    if (this == &from) return *this;
    drop();
    to_come_ = std::exchange(from.to_come_, nullptr);
    here_ = from.here_;
    from.here_.forget();
    return *this;
  }
  ~future() { drop(); }

  /// Whether it has an answer to give, now or later.
  bool is_valid() const noexcept { return to_come_ != nullptr || here_.has_value; }
  /// Whether the answer is there, so that `get` does not wait. Local, does not wait.
  bool is_ready() const noexcept { return here_.has_value || (to_come_ != nullptr && to_come_->is_ready); }

  /// Takes the answer. Waits for it in the main program, and handlers run meanwhile; in a handler only if `is_ready`.
  T get(const std::source_location where = std::source_location::current()) {
    if (!is_ready()) {
      if (to_come_ == nullptr) internal::answers::refuse_second_use("get");
      // Handlers that run meanwhile may move or drop this future: its container may grow.
      future its(std::move(*this));
      internal::answers::of(*its.to_come_).wait(*its.to_come_, where);
      return its.get(where);
    }
    if constexpr (std::is_void_v<T>) {
      take();
    } else {
      return take();
    }
  }

  /// Calls f(answer) when the answer is there: at once if it is, otherwise as a handler, which may send and not wait.
  /// Returns a future of what f returns; if that is a future itself, one of its answer. f stays here, so it may capture
  /// anything that lasts so long. Local, does not wait.
  template <class F>
  auto then(F f, const std::source_location where = std::source_location::current())
      -> future<typename internal::value_of_future<internal::result_with_answer<T, F>>::type>;

  // --- For the library

  explicit future(internal::pending_answer& to_come) noexcept : to_come_(&to_come) {}
  internal::pending_answer* to_come() const noexcept { return to_come_; }
  /// Something else takes the answer, which is not ready. Null if there is none to come.
  internal::pending_answer* release() noexcept { return std::exchange(to_come_, nullptr); }
  /// Where the question was asked, for reports.
  std::source_location where() const noexcept { return to_come_ == nullptr ? std::source_location() : to_come_->where; }
  /// Requires is_ready.
  value_type take() {
    if (to_come_ == nullptr) {
      if constexpr (can_be_here) {
        here_.forget();
        return *std::launder(reinterpret_cast<value_type*>(here_.bytes));
      }
    }
    return internal::answers::take<value_type>(*std::exchange(to_come_, nullptr));
  }
  /// Gives the answer to `to` when it is there, and keeps `kept` until then.
  template <class Kept>
  void forward(internal::pending_answer& to, Kept&& kept);

private:
  void drop() noexcept {
    internal::pending_answer* const a = std::exchange(to_come_, nullptr);
    if (a == nullptr) return;
    if (!a->is_ready && internal::other_worker() == nullptr) return internal::answers::forgo(*a);
    if (!a->is_ready) return internal::answers::forgo(*a, internal::answer_value<value_type>::destroy);
    internal::answer_value<value_type>::destroy(*a);
    internal::answers::of(*a).close(*a);
  }

  // An answer that was there from the beginning lies in the future if it is small and plain, else in a place.
  static constexpr bool can_be_here = std::is_trivially_copyable_v<value_type> && sizeof(value_type) <= 32;
  struct plain_value {
    alignas(value_type) std::byte bytes[sizeof(value_type)] = {};
    bool has_value = false;

    void forget() noexcept { has_value = false; }
  };
  struct nothing {
    static constexpr bool has_value = false;

    static void forget() noexcept {}
  };

  void set(value_type&& value) {
    if constexpr (can_be_here) {
      ::new (static_cast<void*>(here_.bytes)) value_type(value);
      here_.has_value = true;
    } else {
      to_come_ = &internal::answers::current().open(internal::pending_answer::of_here, {});
      internal::answers::give(*to_come_, std::move(value));
    }
  }

  internal::pending_answer* to_come_ = nullptr;
  [[no_unique_address]] std::conditional_t<can_be_here, plain_value, nothing> here_;
};

namespace internal {

/// A message of a PE to itself, in which runs what is ready. `World` is world, which is not complete here.
template <class World>
struct waker {
  void operator()(World& here) const { answers_of(here).run_ready(); }
};
template <class World>
void send_waker(World& here) {
  here.send(here.my_pe(), waker<World>{});
}

}  // namespace internal

/// Makes the answer of a future: for a handler that can answer only when something else has happened on its PE.
///
///     shoal::future<void> lock(shoal::pe_id) { waiting.emplace_back(); return waiting.back().get_future(); }
///     void unlock() { … waiting.front().set(); waiting.pop_front(); }
///
/// Move-only, local to its PE. `get_future` and `set` may be called at the same time, by a handler and by a task on another worker
/// for example. If it is destroyed without a value while something waits for the answer, the job ends.
template <class T>
class promise {
  using value_type = internal::value_of_answer<T>;

public:
  promise(const std::source_location where = std::source_location::current())
      : answer_(&internal::answers::current().open(internal::pending_answer::of_here, where)),
        future_(*answer_),
        where_(where) {}
  promise(promise&& from) noexcept
      : answer_(std::exchange(from.answer_, nullptr)), future_(std::move(from.future_)), where_(from.where_) {}
  promise& operator=(promise&& from) noexcept {
    if (this == &from) return *this;
    drop();
    answer_ = std::exchange(from.answer_, nullptr);
    future_ = std::move(from.future_);
    where_ = from.where_;
    return *this;
  }
  ~promise() { drop(); }

  /// Once. Reports name the place of this call: a container may have made the promise.
  future<T> get_future(const std::source_location where = std::source_location::current()) {
    if (!future_.is_valid()) internal::answers::refuse_second_use("get_future");
    where_ = where;
    future_.to_come()->where = where;
    return std::move(future_);
  }

  /// Gives the value, once. What waits for it runs as a handler: after the one that calls this, if one does. Local, may
  /// wait for room in the main program.
  void set(value_type value)
    requires(!std::is_void_v<T>)
  {
    give(std::move(value));
  }
  void set()
    requires std::is_void_v<T>
  {
    give({});
  }

private:
  void give(value_type&& value) {
    if (answer_ == nullptr) internal::answers::refuse_second_answer(where_);
    internal::pending_answer& a = *std::exchange(answer_, nullptr);
    internal::pe_worker* const other = internal::other_worker();
    if (other == nullptr) [[likely]]
      return give_here(a, std::move(value));
    other->post([&a, value = std::move(value)]() mutable { give_here(a, std::move(value)); });
  }
  static void give_here(internal::pending_answer& a, value_type&& value) {
    internal::answers& all = internal::answers::of(a);
    const bool has_message = all.is_any_ready();  // of the promise that was given a value before this one
    internal::answers::give(a, std::move(value));
    if (!has_message && all.wants_message()) internal::send_waker(internal::current_world());
  }
  void drop() noexcept {
    if (answer_ != nullptr) internal::answers::abandon(*std::exchange(answer_, nullptr));
  }

  internal::pending_answer* answer_;  // null: given; used by set alone
  future<T> future_;  // until somebody gets it; used by get_future alone
  std::source_location where_;
};

template <class T>
template <class F>
auto future<T>::then(F f, const std::source_location where)
    -> future<typename internal::value_of_future<internal::result_with_answer<T, F>>::type> {
  using result = future<typename internal::value_of_future<internal::result_with_answer<T, F>>::type>;
  if (is_ready()) {
    if constexpr (internal::answers_later<F, internal::result_with_answer<T, F>>) {
      return internal::call_kept(std::move(f), [&](F& kept) { return internal::call_with_answer<T>(kept, take()); });
    } else if constexpr (!std::is_void_v<internal::result_with_answer<T, F>>) {
      return result(internal::call_with_answer<T>(f, take()));
    } else {
      internal::call_with_answer<T>(f, take());
      return result::ready();
    }
  }
  if (to_come_ == nullptr) internal::answers::refuse_second_use("then");
  internal::answers& all = internal::answers::of(*to_come_);
  internal::pending_answer& from = *std::exchange(to_come_, nullptr);
  internal::pending_answer& to = all.open(internal::pending_answer::of_here, where);
  const bool follows_end = from.follows_end;  // on another worker `from` is somebody else's as soon as this is attached
  all.attach(from, all.make<internal::then_continuation<T, F>>(from, std::move(f), to), where);
  if (follows_end && internal::other_worker() == nullptr) [[unlikely]]
    to.follow(from.end());
  return result(to);
}

template <class T>
template <class Kept>
void future<T>::forward(internal::pending_answer& to, Kept&& kept) {
  if (is_ready()) return internal::answers::give(to, take());
  if (to_come_ == nullptr) internal::answers::refuse_second_use("waiting for the answer");
  internal::pending_answer& from = *std::exchange(to_come_, nullptr);
  internal::answers& all = internal::answers::of(from);
  using passing = internal::forwarding<T, std::remove_cvref_t<Kept>>;
  all.attach(from, all.make<passing>(from, to, std::forward<Kept>(kept)), {});
}

}  // namespace shoal

#include "shoal/actor/internal/coroutine.hpp"
