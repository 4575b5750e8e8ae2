#include "shoal/task/internal/task_deque.hpp"

namespace shoal::internal {
namespace {

constexpr std::int64_t n_places_at_first = 256;

}  // namespace

task_deque::task_deque(bool is_shared) : is_shared_(is_shared) {
  rings_.push_back(std::make_unique<ring>(n_places_at_first));
  ring_.store(rings_.back().get(), std::memory_order_relaxed);
}

task_deque::ring* task_deque::grow() {
  ring& old = *rings_.back();
  rings_.push_back(std::make_unique<ring>(2 * old.size()));
  ring& next = *rings_.back();
  const std::int64_t end = end_.load(std::memory_order_relaxed);
  for (std::int64_t i = begin_.load(std::memory_order_acquire); i < end; ++i) {
    next.at(i).store(old.at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  ring_.store(&next, std::memory_order_release);
  return &next;
}

}  // namespace shoal::internal
