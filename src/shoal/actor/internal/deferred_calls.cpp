#include "shoal/actor/internal/deferred_calls.hpp"

#include <utility>

namespace shoal::internal {

void deferred_calls::leave(std::unique_ptr<deferred_call> call, bool is_by_program) {
  const work_owner whose = leave_one(is_by_program);
  calls_.push_back({std::move(call), whose});
}

bool deferred_calls::run(std::size_t n_most) {
  for (; n_most > 0 && !calls_.empty(); --n_most) {
    const entry next = std::move(calls_.front());
    calls_.pop_front();
    begin_item(next.whose);
    (*next.call)();
    end_item(next.whose);
  }
  return true;
}

}  // namespace shoal::internal
