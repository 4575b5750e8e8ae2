/// Where a task that is made now belongs, and scopes that wait for their tasks.
#pragma once

#include <memory>
#include <optional>
#include <source_location>
#include <utility>

#include "shoal/actor/internal/then.hpp"
#include "shoal/task/internal/task_group.hpp"
#include "shoal/task/internal/worker.hpp"

namespace shoal::internal {

class pe_tasks;
class superstep_part;

struct task_place {
  worker& here;
  task_group& group;
};

/// For a task that what runs now makes by `call`: the innermost scope, or else the superstep. Ends the job where nothing
/// would wait for the task. Local.
task_place place_of_task(const char* call, const std::source_location& where);
/// The same, but never in a scope of tasks: for a task that what runs now makes for somebody else, whom its scope need not wait
/// for.
task_place place_outside_scopes(const char* call, const std::source_location& where);

/// The mailbox for which the tasks of `group` count, if these are the main program's, and not of a scope; else null.
const superstep_part* mailbox_of_main_tasks(const task_group& group) noexcept;

/// A task that has been made and will begin later, once. If it never does, it is destroyed. Local.
class waiting_task {
public:
  template <class F>
  waiting_task(F&& f, const task_place& place, const std::source_location& where)
      : its_(&place.here.make(std::forward<F>(f), place.group, where)) {}
  waiting_task(waiting_task&& from) noexcept : its_(std::exchange(from.its_, nullptr)) {}
  waiting_task& operator=(waiting_task&&) = delete;
  ~waiting_task() {
    if (its_ != nullptr) drop(*its_);
  }

  void begin() { begin_one(*std::exchange(its_, nullptr)); }
  /// The mailbox for which it counts, if the main program has made it, and in no scope.
  const superstep_part* mailbox_of_task() const noexcept { return mailbox_of_main_tasks(*its_->group); }

private:
  static void begin_one(task& its);
  static void drop(task& its) noexcept;

  task* its_;
};

/// Lets a task begin when its answers are there, which it takes as `values`.
template <class Values>
struct begin_with_answers : begins_task {
  std::shared_ptr<std::optional<Values>> values;
  waiting_task its;

  void operator()(Values&& all) {
    values->emplace(std::move(all));
    its.begin();
  }
  const superstep_part* mailbox_of_task() const noexcept { return its.mailbox_of_task(); }
};
/// The same without values.
struct begin_after_answers : begins_task {
  waiting_task its;

  void operator()() { its.begin(); }
  const superstep_part* mailbox_of_task() const noexcept { return its.mailbox_of_task(); }
};

/// Lets other tasks run before the one that calls. Ends the job outside tasks.
void yield_task(const std::source_location& where);

/// While it lives, what opened it makes tasks in it, unless it opens another one. Tasks may open scopes, and the main program
/// anywhere.
class open_task_scope {
public:
  explicit open_task_scope(const std::source_location& where);
  /// Waits for the tasks, if nobody has.
  ~open_task_scope();
  open_task_scope(const open_task_scope&) = delete;
  open_task_scope& operator=(const open_task_scope&) = delete;

  /// Waits until all tasks of the scope have ended. A task that calls it is suspended; in the main program handlers run
  /// meanwhile.
  void wait(const std::source_location& where);

  task_place place(const std::source_location& where);

  task_group& group() noexcept { return group_; }
  const task_group& group() const noexcept { return group_; }
  /// That of the task before it opened this one; for a scope that a task has opened.
  const task_group& group_around() const noexcept { return *group_around_; }
  /// The scope that the task has opened before this one; null: none.
  const open_task_scope* around() const noexcept { return static_cast<const open_task_scope*>(scope_around_); }
  const std::source_location& where() const noexcept { return where_; }

private:
  void unwind() noexcept;
  void require_innermost(const char* call, const std::source_location& where) const;

  pe_tasks& all_;
  worker* const opened_in_;  // the worker of the task that opened it; null: the main program did
  const std::source_location where_;
  task_group group_;
  // In a task: those that were open before.
  task_group* group_around_ = nullptr;
  const void* scope_around_ = nullptr;
  const int n_exceptions_;  // under way when it opened
};

}  // namespace shoal::internal
