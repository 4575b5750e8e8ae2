/// Tasks that somebody waits for together.
#pragma once

#include <atomic>
#include <cstdint>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

/// What is told when something has ended. On any worker, so it does little.
class end_listener {
public:
  virtual void note_end() noexcept = 0;

protected:
  ~end_listener() = default;
};

/// For whom tasks run. What it is, is known to the layer above.
class task_owner {};

/// Counts tasks from before they can run until they have ended. Tasks are added while the group is not waited for, or by
/// tasks of the group. `is_shared` is the same in all calls: whether the PE has several workers. If not, nothing here is
/// an atomic operation.
class task_group {
public:
  explicit task_group(const task_owner* owner = nullptr) noexcept : owner_(owner) {}
  ~task_group() { SHOAL_ASSERT(is_empty()); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  const task_owner* owner() const noexcept { return owner_; }

  void add(bool is_shared) noexcept { change(is_shared, one); }

  /// A task has ended. If it was the last and somebody listens, tells it; then nothing here is touched any more, since
  /// who waits may destroy the group. True: it was the last, and nobody listens.
  bool end_one(bool is_shared) noexcept {
    const std::int64_t before = change(is_shared, -one);
    if (before != (one | is_heard)) return before == one;
    // Who listens waits for the call below.
    state_.store(0, std::memory_order_relaxed);
    listener_->note_end();
    return false;
  }

  /// Its tasks never end.
  void forget() noexcept { state_.store(0, std::memory_order_relaxed); }

  bool is_empty() const noexcept { return n() == 0; }
  std::int64_t n() const noexcept { return state_.load(std::memory_order_acquire) / one; }

  /// Asks for one call of `its` when the group is empty, and does not look at the group before. False: it is empty already,
  /// and nobody calls.
  bool listen(end_listener& its, bool is_shared) noexcept {
    listener_ = &its;
    std::int64_t seen = state_.load(std::memory_order_acquire);
    if (!is_shared) {
      if (seen != 0) state_.store(seen | is_heard, std::memory_order_relaxed);
      return seen != 0;
    }
    do {
      if (seen == 0) return false;
    } while (
        !state_.compare_exchange_weak(seen, seen | is_heard, std::memory_order_acq_rel, std::memory_order_acquire));
    return true;
  }

private:
  static constexpr std::int64_t is_heard = 1;
  static constexpr std::int64_t one = 2;

  // Returns the state before.
  std::int64_t change(bool is_shared, std::int64_t by) noexcept {
    // seq_cst, so that the PE's own thread sees the last end before it sleeps, or is woken (executor::note_group_ended).
    if (is_shared) return state_.fetch_add(by, std::memory_order_seq_cst);
    const std::int64_t before = state_.load(std::memory_order_relaxed);
    state_.store(before + by, std::memory_order_relaxed);
    return before;
  }

  std::atomic<std::int64_t> state_{0};  // twice the number of tasks, and whether somebody listens
  end_listener* listener_ = nullptr;
  const task_owner* const owner_;
};

}  // namespace shoal::internal
