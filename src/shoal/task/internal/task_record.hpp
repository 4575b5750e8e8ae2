/// A function that runs later on one of the workers of its PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

namespace shoal::internal {

class task_group;

/// Lies in memory of the worker that made it (task_memory.hpp), before its function. Small functions share its cache line.
struct task {
  /// What becomes of the function: it runs and is destroyed, or is only destroyed.
  enum class end : std::uint8_t { runs, is_dropped };
  using behaviour = void (*)(task& self, end how);

  behaviour behave;
  task_group* group;  // counts it until it has ended
  std::source_location where;  // of the call that made it, for reports
  std::uint16_t home = 0;  // the number of the worker that made it
  std::uint16_t size_class = 0;

  task(behaviour its, task_group& of, const std::source_location& made_at) noexcept
      : behave(its), group(&of), where(made_at) {}
};

template <class F>
struct task_of final : task {
  F function;

  template <class From>
  task_of(From&& f, task_group& of, const std::source_location& made_at)
      : task(&task_of::act, of, made_at), function(std::forward<From>(f)) {}

private:
  static void act(task& self, end how) {
    auto& its = static_cast<task_of&>(self);
    if (how == end::runs) its.function();
    its.function.~F();
  }
};

}  // namespace shoal::internal
