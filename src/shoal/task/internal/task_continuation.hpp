/// Lets a task go on when its answer is there.
#pragma once

#include "shoal/actor/internal/pending_answer.hpp"
#include "shoal/task/internal/task_place.hpp"
#include "shoal/task/internal/worker.hpp"

namespace shoal::internal {

class task_continuation final : public continuation {
public:
  /// Of the task that runs. `of`: the mailbox for which it counts, if it is one of the main program and of no scope.
  task_continuation(worker& here, const superstep_part* of) noexcept
      : waiting_(here.now()), opened_(static_cast<const open_task_scope*>(here.scope_now())), of_(of) {}

  void run() override { waiting_.home().resume(waiting_); }
  void drop() noexcept override {}  // the task never goes on
  const superstep_part* mailbox_of_task() const noexcept override {
    for (const open_task_scope* each = opened_; each != nullptr; each = each->around()) {
      if (!each->group().is_empty()) return nullptr;
    }
    return of_;
  }

private:
  worker::strand& waiting_;
  const open_task_scope* const opened_;  // by the task, the last
  const superstep_part* const of_;
};

}  // namespace shoal::internal
