/// What answers and supersteps know of the tasks of a PE, which are a layer above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "shoal/conveyor/internal/exchange_parts.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"

namespace shoal {
class world;
template <class Context>
class lambda_actor;
}  // namespace shoal

namespace shoal::internal {

struct pending_answer;
class superstep_part;

/// For what a task sends.
struct sender_of_task {
  const superstep_part* whose = nullptr;  // the mailbox for which it counts; null: it counts for no superstep
  lambda_actor<world>* closures = nullptr;  // those of that superstep
  bool is_of_main = false;  // it counts for these, since the main program made it
};

class waiting_tasks : public kept_work {
public:
  /// Suspends the task that runs until `a` is ready.
  virtual void wait_in_task(pending_answer& a, const std::source_location& where) = 0;
  /// The main program enters a `finish`; it leaves it. Ends the job if it may not, as scopes of tasks are open.
  virtual void enter_finish(const std::source_location& where) = 0;
  virtual void leave_finish(bool is_broken) noexcept = 0;
  /// Suspends the task that runs on this worker until the PE's own thread has called f(argument).
  virtual void wait_for_own_thread(void (*f)(void*), void* argument, const std::source_location& where) = 0;
  /// For the task that runs on this worker, which is not the PE's own thread.
  virtual sender_of_task sender_elsewhere() const noexcept = 0;
  /// Whether the main program has `n` tasks that count for `m`, those of scopes apart, and nothing is still to be done here
  /// that tasks have posted.
  virtual bool has_only(const superstep_part& m, std::uint64_t n) const noexcept = 0;
  /// The size of the stack of a task that ends at `address`; 0: none does. Signal handlers may call it.
  virtual std::size_t overflowed_bytes_at(const void* address) const noexcept = 0;
  /// A superstep was broken off: tasks that have not begun are destroyed, others never go on.
  virtual void drop_tasks() noexcept = 0;
};

/// Those of a PE; null if it has none.
inline waiting_tasks* tasks_of(exchange_parts& parts) noexcept {
  return static_cast<waiting_tasks*>(parts.tasks.get());
}

}  // namespace shoal::internal
