/// The workers of a PE, the first of which is the PE's own thread. docs/design/tasks.md
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "shoal/task/internal/task_group.hpp"
#include "shoal/task/internal/worker.hpp"

namespace shoal::internal {

class pe_context;

/// Told on the PE's own thread what runs there.
class task_watcher {
public:
  /// From now on tasks of another owner run than before.
  virtual void enter(const task_owner* owner) noexcept = 0;

protected:
  ~task_watcher() = default;
};

struct executor_options {
  std::size_t n_workers = 1;
  std::size_t stack_bytes = std::size_t{256} << 10;
  std::uint64_t seed = 1;
  pe_context* pe = nullptr;  // for reports
  task_watcher* watcher = nullptr;  // outlives the executor; null: none
};

class executor {
public:
  /// Starts the other threads.
  explicit executor(const executor_options& options);
  /// Ends them. Tasks that have not begun are destroyed; none may be suspended.
  ~executor();
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

  std::size_t n_workers() const noexcept { return workers_.size(); }
  bool is_shared() const noexcept { return options_.n_workers > 1; }
  const executor_options& options() const noexcept { return options_; }
  /// The PE's own thread.
  worker& first() noexcept { return *workers_.front(); }
  const worker& first() const noexcept { return *workers_.front(); }
  worker& at(std::size_t i) noexcept { return *workers_[i]; }

  /// Runs tasks on the PE's own thread, in waits of its main program: up to `n_most`.
  worker::turn run_some(std::size_t n_most) { return first().run_some(n_most); }

  // --- For workers

  task* steal(const worker& thief, random_engine& victims) noexcept;
  bool is_ending() const noexcept { return is_ending_.load(std::memory_order_acquire); }
  /// Called after a task has been pushed or a strand resumed: wakes a worker that sleeps, if there is one.
  void wake_one() noexcept {
    if (n_sleeping_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake_sleepers(false);
  }
  /// As wake_one, for work that only one worker can do.
  void wake_all() noexcept {
    if (n_sleeping_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake_sleepers(true);
  }
  /// Whether `who` could begin or go on with something.
  bool is_any_work(const worker& who) const noexcept;
  /// Waits a little while this worker has nothing to do. `patience` counts calls since it last had.
  void idle(const worker& who, unsigned& patience) noexcept;

private:
  [[gnu::cold]] void wake_sleepers(bool all) noexcept;
  void end_threads() noexcept;

  executor_options options_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<std::thread> threads_;  // of all workers but the first
  std::atomic<bool> is_ending_{false};
  std::mutex sleep_;
  std::condition_variable sleepers_;
  std::uint64_t n_wakings_ = 0;  // under sleep_
  alignas(cache_line_bytes) std::atomic<unsigned> n_sleeping_{0};
};

}  // namespace shoal::internal
