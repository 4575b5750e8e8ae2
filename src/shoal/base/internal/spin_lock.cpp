#include "shoal/base/internal/spin_lock.hpp"

#include <sched.h>

namespace shoal::internal {

// Its holder may have lost its core.
void spin_lock::wait() noexcept {
  do {
    ::sched_yield();
  } while (is_held_.exchange(true, std::memory_order_acquire));
}

}  // namespace shoal::internal
