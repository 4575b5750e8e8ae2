/// Lets a task go on when its answer is there.
#pragma once

#include "shoal/actor/internal/pending_answer.hpp"
#include "shoal/task/internal/worker.hpp"

namespace shoal::internal {

class task_continuation final : public continuation {
public:
  /// `of`: the mailbox for which the task counts; null: it is one of a scope.
  task_continuation(worker::strand& waiting, const superstep_part* of) noexcept : waiting_(waiting), of_(of) {}

  void run() override { waiting_.home().resume(waiting_); }
  void drop() noexcept override {}  // the task never goes on
  const superstep_part* mailbox_of_task() const noexcept override { return of_; }

private:
  worker::strand& waiting_;
  const superstep_part* const of_;
};

}  // namespace shoal::internal
