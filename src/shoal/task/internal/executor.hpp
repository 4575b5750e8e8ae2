/// The workers of a PE, the first of which is the PE's own thread. docs/design/tasks.md
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/substrate/internal/pe_threads.hpp"
#include "shoal/task/internal/task_group.hpp"
#include "shoal/task/internal/worker.hpp"

namespace shoal::internal {

class pe_context;
class worker_outboxes;

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
  pe_threads* threads = nullptr;  // for the workers beyond the first; outlive the executor
  worker_outboxes* outboxes = nullptr;  // for what tasks of these send; null: they send nothing. Outlives the executor
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
  pe_threads& threads() noexcept { return *options_.threads; }
  /// The PE's own thread.
  worker& first() noexcept { return *workers_.front(); }
  worker& at(std::size_t i) noexcept { return *workers_[i]; }

  // --- For the PE's own thread

  /// Runs tasks in waits of its main program: up to `n_most`.
  worker::turn run_some(std::size_t n_most) { return first().run_some(n_most); }
  /// Calls what other workers have posted. Returns whether there was anything.
  bool run_posted();
  /// Whether there is anything, or one such call runs, which may wait for room.
  bool has_posted() const noexcept;
  /// How often a worker has ended the last task of a group.
  std::uint64_t n_groups_ended() const noexcept { return n_groups_ended_.load(std::memory_order_seq_cst); }
  /// It has found nothing to do, and may sleep from now on: whoever has something for it notifies it. False: there is
  /// something already. `n_ended`: the groups that had ended when it began to look.
  bool may_sleep(std::uint64_t n_ended) noexcept;
  void note_awake() noexcept { is_first_asleep_.store(false, std::memory_order_relaxed); }
  /// Destroys all tasks that have not begun. Those that are suspended never go on; those that run on other workers end
  /// first, or wait for something.
  void drop_all() noexcept;
  /// For reports: which tasks run, and what others wait for, each after "; ".
  [[gnu::cold]] std::string describe() const;

  // --- For workers

  task* steal(const worker& thief, random_engine& victims) noexcept;
  bool is_ending() const noexcept { return is_ending_.load(std::memory_order_acquire); }
  bool is_dropping() const noexcept { return is_dropping_.load(std::memory_order_seq_cst); }
  /// Which time it is that tasks are dropped.
  std::uint64_t n_drops() const noexcept { return n_drops_.load(std::memory_order_seq_cst); }
  /// This worker has dropped its tasks.
  void note_dropped() noexcept;
  /// A task has been pushed that any worker may begin.
  void note_pushed(const worker& by) noexcept {
    threads().wake_one();
    if (by.number() != 0) notify_first();
  }
  /// There may be something that only the PE's own thread can do.
  void notify_first() noexcept {
    if (is_first_asleep_.load(std::memory_order_seq_cst)) [[unlikely]]
      wake_first();
  }
  void note_group_ended() noexcept {
    n_groups_ended_.fetch_add(1, std::memory_order_seq_cst);
    notify_first();
  }
  void take_turn() noexcept {
    if (takes_turns_) [[unlikely]]
      threads().take_turn();
  }
  /// Whether there is a task that nobody has begun.
  bool is_any_task() const noexcept;
  /// Whether `who` could begin or go on with something.
  bool is_any_work(const worker& who) const noexcept;
  /// Waits a little while this worker has nothing to do. `patience` counts calls since it last had.
  void idle(const worker& who, unsigned& patience) noexcept;
  /// By a worker that has been woken and cannot begin a task now: wakes one that can.
  void pass_on_wake() noexcept;

private:
  void run(std::size_t number);
  [[gnu::cold]] void wake_first() noexcept;
  void end_threads() noexcept;

  executor_options options_;
  const bool takes_turns_;
  std::vector<std::unique_ptr<worker>> workers_;
  bool runs_posted_ = false;  // used by the PE's own thread
  std::atomic<bool> is_ending_{false};
  std::atomic<bool> is_dropping_{false};
  std::atomic<std::uint64_t> n_drops_{0};
  std::atomic<std::size_t> n_dropped_{0};  // workers that have dropped their tasks
  alignas(cache_line_bytes) std::atomic<bool> is_first_asleep_{false};
  std::atomic<std::uint64_t> n_groups_ended_{0};  // by other workers
  std::atomic<std::size_t> n_idle_{0};  // workers that sleep, or are about to, until there is a task
};

}  // namespace shoal::internal
