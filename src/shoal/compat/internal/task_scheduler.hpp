/// Runs the tasks of HClib: one at a time, on the PE's own thread.
///
/// A task begins on the stack of one that has ended. Where a task waits, its stack is put aside, and another one goes
/// on, in the order of ready_tasks; if nothing can run, the stack at hand idles at the yield point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/compat/include/hclib.h"
#include "shoal/compat/internal/finish_scope.hpp"
#include "shoal/compat/internal/handler_points.hpp"
#include "shoal/compat/internal/ready_tasks.hpp"
#include "shoal/compat/internal/waiter.hpp"

namespace shoal::internal {
class pe_context;
}

namespace shoal::internal::compat {

/// Ends the job with one line: `call` was made where it may not be, or as it may not be.
[[noreturn, gnu::cold]] void refuse_call(const char* call, const char* why);

/// A task that has not begun.
class pending_task final : public ready_task {
public:
  pending_task(void (*run)(void*), void* argument, finish_scope& scope) noexcept;

  /// Lets it begin after these futures. Null: as if satisfied.
  void begin_after(hclib_future_t* const* futures, std::size_t n);
  void wake() noexcept override;

  void (*const run)(void*);
  void* const argument;
  finish_scope& scope;

private:
  std::vector<hclib_promise_t*> awaited_;  // the last one first
};

class nested_finish;

class task_scheduler {
public:
  task_scheduler();
  ~task_scheduler();
  task_scheduler(const task_scheduler&) = delete;
  task_scheduler& operator=(const task_scheduler&) = delete;

  bool is_in_launch() const noexcept { return now_ != nullptr; }

  /// Runs `body` on this stack, as the root of all tasks, and then the tasks. Not in a launch.
  void run_root(void (*body)(void*), void* argument);

  /// Makes a task of the innermost finish. `call`, which the program made, is for reports.
  void spawn(void (*run)(void*), void* argument, hclib_future_t* const* futures, std::size_t n, const char* call);

  void yield();

  /// Returns when `is_ready()`; other tasks and handlers run meanwhile. `enlist(waiter)` says whom to wake then.
  template <class Ready, class Enlist>
  void wait(const char* call, Ready is_ready, Enlist enlist) {
    if (is_ready()) return;
    require_wait(call);
    for (unsigned patience = 0; !is_ready();) {
      call_ = call;
      if (ready_.is_empty()) {
        idle(patience);
      } else {
        run_handlers();
        if (is_ready()) return;
        enlist(this_stack());
        ready_.run_depth_first();
        switch_away();
        patience = 0;
      }
    }
  }

  void make_runnable(pending_task& its) noexcept { ready_.add(its); }
  void make_runnable(task_stack& its) noexcept;

  // --- The innermost finish

  finish_scope* scope() const noexcept { return scope_; }
  finish_scope* exchange_scope(finish_scope* to) noexcept;
  void start_finish(const char* call);
  void end_finish(const char* call);
  /// Puts `promise` when all that the innermost finish waits for has ended, and does not wait.
  void end_finish_with(hclib_promise_t& promise, const char* call);

  /// The call that waits now, or waited last; for reports.
  const char* waiting_call() const noexcept { return call_; }

  /// How many tasks are suspended, the body of launch included.
  std::size_t n_suspended() const noexcept { return stacks_.size() - spare_.size(); }
  /// The size of the stack that runs, if it ends at `address`; 0: it does not. Signal handlers may call it.
  std::size_t overflowed_bytes_at(const void* address) const noexcept;

  /// What runs; null: the root's body, or no task.
  const pending_task* task_now() const noexcept { return task_; }

  // --- For the program to know

  void (*idle_callback)(unsigned worker, unsigned n_times) = nullptr;
  std::uint64_t n_tasks() const noexcept { return n_tasks_; }
  std::uint64_t n_switches() const noexcept { return n_switches_; }
  std::size_t n_stacks_most() const noexcept { return n_stacks_most_; }

private:
  finish_scope& innermost_scope() const noexcept { return scope_ == nullptr ? *root_ : *scope_; }
  waiter& this_stack() noexcept;
  [[gnu::noinline]] void require_wait(const char* call);
  void idle(unsigned& patience);
  void pass_time(bool has_moved);
  void run(pending_task& its) noexcept;
  void run_body(void (*body)(void*), void* argument, const char* what) noexcept;
  task_stack& spare_stack();
  void switch_away();
  void switch_to(task_stack& next);
  void free_surplus();
  [[noreturn]] void loop() noexcept;
  nested_finish& innermost_finish(const char* call);

  ready_tasks ready_;
  pending_task* next_task_ = nullptr;  // that the next stack is to begin
  task_stack* now_ = nullptr;  // null: not in a launch
  finish_scope* root_ = nullptr;
  // Of what runs; each stack keeps its own while it is suspended.
  finish_scope* scope_ = nullptr;
  nested_finish* innermost_ = nullptr;  // that the task has opened itself
  const pending_task* task_ = nullptr;
  const char* call_ = nullptr;
  pe_context* pe_ = nullptr;  // which this thread runs; may change while a stack is suspended
  std::size_t stack_bytes_ = 0;
  std::vector<std::unique_ptr<task_stack>> stacks_;
  std::vector<task_stack*> spare_;
  std::uint64_t n_tasks_ = 0;
  std::uint64_t n_switches_ = 0;
  unsigned n_idle_steps_ = 0;
  std::size_t n_stacks_most_ = 0;
};

/// Of this process. Lives as long.
task_scheduler& tasks() noexcept;

}  // namespace shoal::internal::compat
