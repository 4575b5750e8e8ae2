/// What can run of HClib's tasks, and which is next.
///
/// Where tasks wait, the order is depth first: stacks that were woken, then the newest group of tasks. A group is what
/// a task has made in one go, first come, first served. So a fork-join recursion of depth n needs some n stacks, and
/// tasks run in the order in which one task would call the others. After a yield the order is by age, until a task
/// waits again: whoever yields goes behind all that can run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/compat/internal/waiter.hpp"

namespace shoal::internal::compat {

/// A task that has not begun, in the list of all by age, and in that of the groups.
class ready_task : public runnable {
protected:
  ready_task() noexcept : runnable(nullptr) {}
  ~ready_task() = default;

private:
  friend class ready_tasks;
  struct links {
    ready_task* before = nullptr;
    ready_task* after = nullptr;
  };
  links by_age_;
  links by_group_;
};

class ready_tasks {
public:
  bool is_empty() const noexcept { return woken_.first == nullptr && yielded_.first == nullptr && oldest_ == nullptr; }

  void add(ready_task& its) noexcept;
  void add_woken(runnable& stack) noexcept { append(woken_, stack); }
  void add_yielded(runnable& stack) noexcept { append(yielded_, stack); }

  /// Which order holds from now on.
  void run_depth_first() noexcept { is_by_age_ = false; }
  void run_by_age() noexcept { is_by_age_ = true; }

  /// Takes the next one. Not if it is empty.
  runnable& take() noexcept;

private:
  struct stack_queue {
    runnable* first = nullptr;
    runnable* last = nullptr;
  };

  void append(stack_queue& to, runnable& stack) noexcept;
  runnable& take_first(stack_queue& of) noexcept;
  runnable& take(ready_task& its) noexcept;
  runnable& take_oldest() noexcept;

  stack_queue woken_;
  stack_queue yielded_;
  ready_task* oldest_ = nullptr;
  ready_task* youngest_ = nullptr;
  ready_task* first_of_group_ = nullptr;  // of the newest group
  ready_task* last_added_ = nullptr;  // since the last take
  std::uint64_t n_added_ = 0;
  unsigned n_passed_over_ = 0;  // takes since a stack that has yielded had its turn
  bool is_by_age_ = false;
};

}  // namespace shoal::internal::compat
