/// The tasks that a worker has made and nobody has begun: the worker takes the last, other workers steal the first.
///
/// The deque of Chase and Lev ("Dynamic circular work-stealing deque", SPAA 2005), with the orders of Le, Pop, Cohen and
/// Zappella Nardelli ("Correct and efficient work-stealing for weak memory models", PPoPP 2013, figure 1). Where they have
/// fences it has sequentially consistent stores, which cost as much on x86 and which ThreadSanitizer understands.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/base/types.hpp"

namespace shoal::internal {

struct task;

class task_deque {
public:
  /// `is_shared`: there are other workers. Without them no operation is atomic.
  explicit task_deque(bool is_shared);

  // --- For its worker

  void push(task& last) {
    const std::int64_t end = end_.load(std::memory_order_relaxed);
    ring* its = ring_.load(std::memory_order_relaxed);
    if (end - begin_.load(std::memory_order_acquire) >= its->size()) [[unlikely]]
      its = grow();
    its->at(end).store(&last, std::memory_order_relaxed);
    // A worker that goes to sleep looks here after it has said so, and who pushes looks for sleepers afterwards. For that,
    // the store must come before the next load.
    end_.store(end + 1, is_shared_ ? std::memory_order_seq_cst : std::memory_order_relaxed);
  }

  /// The last task; null: there is none.
  task* pop() {
    const std::int64_t last = end_.load(std::memory_order_relaxed) - 1;
    ring* const its = ring_.load(std::memory_order_relaxed);
    if (last < begin_.load(std::memory_order_relaxed)) return nullptr;  // it only grows
    if (!is_shared_) {
      end_.store(last, std::memory_order_relaxed);
      return its->at(last).load(std::memory_order_relaxed);
    }
    end_.store(last, std::memory_order_seq_cst);
    std::int64_t begin = begin_.load(std::memory_order_seq_cst);
    if (begin < last) return its->at(last).load(std::memory_order_relaxed);
    task* found = nullptr;
    if (begin == last && begin_.compare_exchange_strong(begin, begin + 1, std::memory_order_seq_cst)) {
      found = its->at(last).load(std::memory_order_relaxed);
    }
    end_.store(last + 1, std::memory_order_relaxed);
    return found;
  }

  // --- For all

  /// The first task; null: there is none, or another worker was faster.
  task* steal() {
    std::int64_t begin = begin_.load(std::memory_order_seq_cst);
    if (begin >= end_.load(std::memory_order_seq_cst)) return nullptr;
    task* const found = ring_.load(std::memory_order_acquire)->at(begin).load(std::memory_order_relaxed);
    return begin_.compare_exchange_strong(begin, begin + 1, std::memory_order_seq_cst) ? found : nullptr;
  }

  bool is_empty() const noexcept {
    return begin_.load(std::memory_order_seq_cst) >= end_.load(std::memory_order_seq_cst);
  }

private:
  class ring {
  public:
    explicit ring(std::int64_t size) : places_(static_cast<std::size_t>(size)), mask_(size - 1) {}
    std::int64_t size() const noexcept { return mask_ + 1; }
    std::atomic<task*>& at(std::int64_t i) noexcept { return places_[static_cast<std::size_t>(i & mask_)]; }

  private:
    std::vector<std::atomic<task*>> places_;
    std::int64_t mask_;
  };

  [[gnu::cold]] ring* grow();

  std::atomic<std::int64_t> end_{0};
  std::atomic<ring*> ring_;
  const bool is_shared_;
  std::vector<std::unique_ptr<ring>> rings_;  // thieves may still read those before the last
  alignas(cache_line_bytes) std::atomic<std::int64_t> begin_{0};
};

}  // namespace shoal::internal
