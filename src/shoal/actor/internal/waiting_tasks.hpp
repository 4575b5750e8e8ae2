/// What answers know of the tasks of a PE, which are a layer above.
#pragma once

#include <source_location>

#include "shoal/conveyor/internal/spare_work.hpp"

namespace shoal::internal {

struct pending_answer;

class waiting_tasks : public kept_work {
public:
  /// Suspends the task that runs until `a` is ready.
  virtual void wait_in_task(pending_answer& a, const std::source_location& where) = 0;
};

}  // namespace shoal::internal
