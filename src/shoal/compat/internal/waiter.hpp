/// Who waits for a finish or a promise of HClib, and what can run.
#pragma once

#include <cstdint>

namespace shoal::internal::compat {

class task_stack;

class waiter {
public:
  /// What it waits for is there. Called once for each wait; may destroy the waiter.
  virtual void wake() noexcept = 0;

  waiter* next = nullptr;  // in the list of what it waits for

protected:
  ~waiter() = default;
};

/// A task that has not begun, or the stack of one that waits. It runs some time after it was woken.
class runnable : public waiter {
public:
  task_stack* const stack;  // null: it has not begun
  // In the queues of what can run.
  runnable* after = nullptr;
  std::uint64_t since = 0;

protected:
  explicit runnable(task_stack* its) noexcept : stack(its) {}
  ~runnable() = default;
};

}  // namespace shoal::internal::compat
