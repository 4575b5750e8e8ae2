/// Tasks: functions that run later on this PE, may wait without keeping it from other work, and are waited for together.
///
///     shoal::async([&] { left = sort(first_half); });           // finish waits for it
///     {
///       shoal::task_scope both;
///       both.async([&] { left = sort(first_half); });
///       right = sort(second_half);
///     }                                                         // waits for the tasks of the scope
///     shoal::future<long> n = shoal::async_future([&] { return count(part); });
///     shoal::async_await([&](long a, long b) { … }, std::move(n), world.ask(…));   // begins when both are there
///     shoal::forasync({0, rows}, {0, columns}, [&](std::int64_t i, std::int64_t j) { … });
///
/// All here is local; nothing but the destructor and `wait` of a task_scope waits. A task runs while the main program waits
/// or calls progress, one task at a time, never inside a handler; with SHOAL_WORKERS above 1 on other threads, too, at any
/// time. It may send, and wait for room; it may wait for futures and scopes, and other tasks, handlers and the main program
/// then go on. Collective calls and constructions are errors in it.
/// Where the program makes a task outside a task_scope, the superstep waits for the task: that of the handler or of the main
/// program. A task belongs to where the task that made it belongs. docs/contract.md has the rules. (HClib: async, finish,
/// promises, forasync; "Enabling message-driven actors in HClib", Paul et al. 2023, sections 2.1 and 4.)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/future.hpp"
#include "shoal/actor/when.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/task/internal/task_place.hpp"

namespace shoal {

namespace internal {

/// A coroutine would go on after the task, whose end destroys its captures.
template <class F, class... Arguments>
constexpr void require_task() {
  static_assert(std::is_invocable_v<F, Arguments...>,
                "a task is called as f(), with the values that it awaits, or with its indices");
  static_assert(!is_future<std::remove_cvref_t<std::invoke_result_t<F, Arguments...>>>,
                "a task is no coroutine and returns no future; it may wait for futures itself, by get");
}

}  // namespace internal

/// Calls f() in a task. f is moved, and destroyed after the call. An exception that leaves it ends the job.
template <class F>
void async(F&& f, const std::source_location where = std::source_location::current()) {
  internal::require_task<std::decay_t<F>&>();
  const internal::task_place place = internal::place_of_task("async", where);
  place.here.spawn(std::forward<F>(f), place.group, where);
}

/// The same; gives a future of what f returns.
template <class F>
auto async_future(F f, const std::source_location where = std::source_location::current()) {
  internal::require_task<F&>();
  using result = std::remove_cvref_t<std::invoke_result_t<F&>>;
  const internal::task_place place = internal::place_of_task("async_future", where);
  promise<result> to_come(where);
  future<result> answer = to_come.get_future(where);
  place.here.spawn(
      [f = std::move(f), to_come = std::move(to_come)]() mutable {
        if constexpr (std::is_void_v<result>) {
          f();
          to_come.set();
        } else {
          to_come.set(f());
        }
      },
      place.group, where);
  return answer;
}

namespace internal {

template <class F, class... Values>
constexpr void require_task_with(std::type_identity<std::tuple<Values...>>) {
  require_task<F, Values...>();
}

template <class F, class... T>
void async_await_all(F f, const std::source_location& where, future<T>... answers) {
  using values_of_all = answers_in_tuple<T...>;
  require_task_with<F&>(std::type_identity<values_of_all>{});
  auto values = std::make_shared<std::optional<values_of_all>>();
  waiting_task its([f = std::move(f), values]() mutable { std::apply(f, std::move(**values)); },
                   place_of_task("async_await", where), where);
  when_all_of(where, std::move(answers)...).then(begin_with_answers<values_of_all>{{}, values, std::move(its)}, where);
}

}  // namespace internal

/// Calls f(value…) in a task that begins when all answers are there, up to four; those without a value are left out. It
/// belongs to where it is made, which waits for it from now on.
template <class F, class A>
void async_await(F f, future<A> a, const std::source_location where = std::source_location::current()) {
  internal::async_await_all(std::move(f), where, std::move(a));
}
template <class F, class A, class B>
void async_await(F f, future<A> a, future<B> b, const std::source_location where = std::source_location::current()) {
  internal::async_await_all(std::move(f), where, std::move(a), std::move(b));
}
template <class F, class A, class B, class C>
void async_await(F f, future<A> a, future<B> b, future<C> c,
                 const std::source_location where = std::source_location::current()) {
  internal::async_await_all(std::move(f), where, std::move(a), std::move(b), std::move(c));
}
template <class F, class A, class B, class C, class D>
void async_await(F f, future<A> a, future<B> b, future<C> c, future<D> d,
                 const std::source_location where = std::source_location::current()) {
  internal::async_await_all(std::move(f), where, std::move(a), std::move(b), std::move(c), std::move(d));
}
/// The same for any number of answers of one type: calls f(std::vector of values), or f().
template <class F, class T>
void async_await(F f, std::vector<future<T>> answers,
                 const std::source_location where = std::source_location::current()) {
  const internal::task_place place = internal::place_of_task("async_await", where);
  if constexpr (std::is_void_v<T>) {
    internal::require_task<F&>();
    internal::waiting_task its(std::move(f), place, where);
    when_all(std::move(answers), where).then(internal::begin_after_answers{{}, std::move(its)}, where);
  } else {
    internal::require_task<F&, std::vector<T>>();
    auto values = std::make_shared<std::optional<std::vector<T>>>();
    internal::waiting_task its([f = std::move(f), values]() mutable { f(std::move(**values)); }, place, where);
    when_all(std::move(answers), where)
        .then(internal::begin_with_answers<std::vector<T>>{{}, values, std::move(its)}, where);
  }
}

/// Lets other tasks run before the task that calls goes on, and the main program's waits take their turn.
inline void yield_task(const std::source_location where = std::source_location::current()) {
  internal::yield_task(where);
}

/// A scope that waits for the tasks that are made in it: by its `async`, or by what opened it with the functions above,
/// unless it opens another scope. The main program and tasks may open scopes. Who opened a scope closes it, the last one
/// first.
class task_scope {
public:
  explicit task_scope(const std::source_location where = std::source_location::current()) : its_(where) {}
  /// As wait. If an exception leaves the scope while it has tasks, they are destroyed or never go on, and the job ends.
  ~task_scope() = default;

  template <class F>
  void async(F&& f, const std::source_location where = std::source_location::current()) {
    internal::require_task<std::decay_t<F>&>();
    const internal::task_place place = its_.place(where);
    place.here.spawn(std::forward<F>(f), place.group, where);
  }

  /// Waits until all tasks of the scope, and those that they made, have ended. A task that calls it lets others run
  /// meanwhile; in the main program handlers run, too.
  void wait(const std::source_location where = std::source_location::current()) { its_.wait(where); }

private:
  internal::open_task_scope its_;
};

/// Numbers from `begin` up to but not `end`, at most 2^63 - 1 of them, of which a task takes `tile`; 0: Shoal chooses, so
/// that each worker has several tasks.
struct task_range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t tile = 0;

  std::int64_t size() const noexcept { return end > begin ? end - begin : 0; }
};

/// How forasync makes its tasks.
enum class forasync_mode : std::uint8_t {
  recursive,  // a task halves its range and leaves one half to another task, down to tiles
  flat,  // the caller makes a task for each tile
};

namespace internal {

// Ranges of the dimensions.
template <std::size_t N>
using task_block = std::array<task_range, N>;

// Sets tiles that are not given. None is larger than its range, which is not empty.
void choose_tiles(std::span<task_range> ranges);

template <class F, std::size_t N, class... Indices>
void call_for_all(const F& f, const task_block<N>& block, Indices... outer) {
  constexpr std::size_t dimension = sizeof...(Indices);
  for (std::int64_t i = block[dimension].begin; i < block[dimension].end; ++i) {
    if constexpr (dimension + 1 == N) {
      f(outer..., i);
    } else {
      call_for_all(f, block, outer..., i);
    }
  }
}

// Splits the block in halves until it is a tile; the second halves become tasks.
template <class F, std::size_t N>
void run_halves(const std::shared_ptr<const F>& f, task_block<N> block, const std::source_location& where) {
  for (std::size_t widest = 0;;) {
    widest = 0;
    std::int64_t n_most = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const std::int64_t n_tiles = (block[i].size() - 1) / block[i].tile + 1;
      if (n_tiles > n_most) widest = i, n_most = n_tiles;
    }
    if (n_most <= 1) break;
    task_block<N> second = block;
    const std::int64_t middle = block[widest].begin + n_most / 2 * block[widest].tile;
    block[widest].end = second[widest].begin = middle;
    const task_place place = place_of_task("forasync", where);
    place.here.spawn([f, second, where] { run_halves(f, second, where); }, place.group, where);
  }
  call_for_all(*f, block);
}

template <class F, std::size_t N>
void make_flat(const std::shared_ptr<const F>& f, const task_block<N>& whole, task_block<N> block,
               std::size_t dimension, const std::source_location& where) {
  if (dimension == N) {
    const task_place place = place_of_task("forasync", where);
    place.here.spawn([f, block] { call_for_all(*f, block); }, place.group, where);
    return;
  }
  const task_range& all = whole[dimension];
  for (std::int64_t begin = all.begin; begin < all.end;) {
    const std::int64_t end = begin + std::min(all.tile, all.end - begin);
    block[dimension] = {begin, end, all.tile};
    make_flat(f, whole, block, dimension + 1, where);
    begin = end;
  }
}

template <class F, std::size_t N>
void forasync_over(task_block<N> block, F f, forasync_mode mode, const std::source_location& where) {
  for (const task_range& each : block) {
    if (each.size() == 0) return;
  }
  choose_tiles(block);
  const auto shared = std::make_shared<const F>(std::move(f));
  if (mode == forasync_mode::flat) return make_flat(shared, block, block, 0, where);
  const task_place place = place_of_task("forasync", where);
  place.here.spawn([shared, block, where] { run_halves(shared, block, where); }, place.group, where);
}

}  // namespace internal

/// Calls f(i) for each number of a range, or f(i, j) or f(i, j, k) for each of two or three ranges, in tasks: each index
/// once, in any order. f is shared by all tasks, and const. Does not wait; who waits for a task that is made here waits for
/// them.
template <class F>
  requires std::is_invocable_v<const F&, std::int64_t>
void forasync(const task_range& i, F f, const forasync_mode mode = forasync_mode::recursive,
              const std::source_location where = std::source_location::current()) {
  internal::require_task<const F&, std::int64_t>();
  internal::forasync_over(internal::task_block<1>{i}, std::move(f), mode, where);
}
template <class F>
  requires std::is_invocable_v<const F&, std::int64_t, std::int64_t>
void forasync(const task_range& i, const task_range& j, F f, const forasync_mode mode = forasync_mode::recursive,
              const std::source_location where = std::source_location::current()) {
  internal::require_task<const F&, std::int64_t, std::int64_t>();
  internal::forasync_over(internal::task_block<2>{i, j}, std::move(f), mode, where);
}
template <class F>
  requires std::is_invocable_v<const F&, std::int64_t, std::int64_t, std::int64_t>
void forasync(const task_range& i, const task_range& j, const task_range& k, F f,
              const forasync_mode mode = forasync_mode::recursive,
              const std::source_location where = std::source_location::current()) {
  internal::require_task<const F&, std::int64_t, std::int64_t, std::int64_t>();
  internal::forasync_over(internal::task_block<3>{i, j, k}, std::move(f), mode, where);
}

}  // namespace shoal
