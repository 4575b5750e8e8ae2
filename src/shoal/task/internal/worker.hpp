/// One of the workers of a PE: runs tasks, one at a time, on stacks of its own.
///
/// A task begins on any worker and stays where it began. A task that waits suspends its stack, and the worker goes on with
/// other tasks on another one. So the addresses of thread-local variables stay right in a task, and exceptions move with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/fiber.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/random.hpp"
#include "shoal/task/internal/task_deque.hpp"
#include "shoal/task/internal/task_group.hpp"
#include "shoal/task/internal/task_memory.hpp"
#include "shoal/task/internal/task_record.hpp"

namespace shoal::internal {

class executor;
class worker_outboxes;

class worker final : public pe_worker {
public:
  worker(executor& all, std::size_t number, std::uint64_t seed);
  ~worker();

  executor& all() const noexcept { return all_; }

  /// The group of the innermost scope of the task that runs; null: none runs.
  task_group* group_now() const noexcept { return group_now_; }
  /// Tasks that the task which runs makes belong to another group from now on. Returns the group before.
  task_group* exchange_group(task_group* now) noexcept { return std::exchange(group_now_, now); }
  /// The scope that the task which runs has opened last, and not closed; null: none. For whoever keeps scopes.
  const void* scope_now() const noexcept { return scope_now_; }
  const void* exchange_scope(const void* now) noexcept { return std::exchange(scope_now_, now); }

  // --- For what runs on this worker: its tasks or, on the PE's own thread, the main program and handlers too

  /// Makes a task of `group`, which the group counts from now on.
  template <class F>
  task& make(F&& f, task_group& group, const std::source_location& where) {
    using made = task_of<std::decay_t<F>>;
    static_assert(alignof(made) <= 64, "a task is aligned to 64 bytes at most");
    constexpr std::size_t its_class = task_memory::class_of(sizeof(made));
    task& its = *::new (memory_.allocate(sizeof(made), its_class)) made(std::forward<F>(f), group, where);
    its.home = static_cast<std::uint16_t>(number());
    its.size_class = static_cast<std::uint16_t>(its_class);
    group.add(is_shared_);
    return its;
  }
  /// Lets a task begin, once.
  void push(task& its) {
    tasks_.push(its);
    if (is_shared_) note_pushed();
  }
  template <class F>
  void spawn(F&& f, task_group& group, const std::source_location& where) {
    push(make(std::forward<F>(f), group, where));
  }

  /// Destroys a task that never begins.
  void drop(task& its) noexcept;

  /// Waits until `group` is empty, in a task. Tasks of the group that nobody has begun run meanwhile, on this stack: what
  /// runs on it above a task is what that task waits for. If there are none, or run_some has run enough, suspends the task.
  void wait_for(task_group& group, const std::source_location& where);

  class strand;
  /// What the task that runs, runs on.
  strand& now() const noexcept { return *now_; }
  /// Suspends the task that runs until its strand is resumed; that may have happened already. `what` it waits for, and
  /// where, are for reports.
  void suspend(const char* what, const std::source_location& where);
  /// Suspends the task that runs, until others have had a turn.
  void yield(const std::source_location& where);
  /// Lets a suspended task of this worker go on. Any worker may call it.
  void resume(strand& suspended) noexcept;

  /// What the task that runs handles from now on; null: no messages. Until then reports of other threads may use it.
  void handle(const handled_messages* its) noexcept;

  void notify_pe() noexcept override;
  void wait_for_pe(unsigned& patience, const std::atomic<std::size_t>& n_available) noexcept override;

  // --- For the executor

  /// What a call of run_some has done.
  enum class turn : std::uint8_t {
    nothing,
    only_yields,  // tasks went on that had yielded, and nothing else
    moved,
  };
  /// Runs tasks until `n_most` have begun or gone on, or nothing is left to do. On the PE's own thread, not in a task.
  turn run_some(std::size_t n_most);
  /// Runs tasks until the executor ends. The whole life of another thread.
  void run_all();

  task* steal() noexcept { return tasks_.steal(); }
  bool has_tasks() const noexcept { return !tasks_.is_empty(); }
  bool has_ready() const noexcept { return ready_.load(std::memory_order_seq_cst) != nullptr; }
  /// Destroys tasks that have not begun. On the worker's thread, not in a task; or when it has ended. `abandons`: what is
  /// suspended never goes on.
  void drop_all(bool abandons) noexcept;
  /// The size of the stack that ends at `address`; 0: none of this worker does. Signal handlers may call it.
  std::size_t overflowed_bytes_at(const void* address) const noexcept;
  /// For reports: what runs, and what suspended tasks wait for, each after "; ". On any thread.
  [[gnu::cold]] std::string describe(std::size_t n_most) const;

private:
  const void* owner_now() const noexcept override { return group_now_ == nullptr ? nullptr : group_now_->owner(); }
  class waiting_note;
  void note_pushed() noexcept;
  bool may_run() noexcept;
  void enter(const task_owner* owner) noexcept;
  void run(task& its) noexcept;
  void end_one(task_group& group) noexcept;
  void free(task& its) noexcept;
  task* next_task() noexcept;
  strand* next_ready() noexcept;
  strand& spare_strand();
  void switch_away();
  void free_spare_strands();
  void loop() noexcept;

  executor& all_;
  const bool is_shared_;
  worker_outboxes* const outboxes_;  // null: the PE's own thread sends by itself
  task_group* group_now_ = nullptr;
  const task_owner* owner_now_ = nullptr;  // of what runs, or ran last
  std::atomic<bool> is_waiting_for_room_{false};
  const void* scope_now_ = nullptr;
  task_memory memory_;
  task_deque tasks_;
  random_engine victims_;
  std::int64_t n_left_ = 0;  // tasks that run_some may still run
  bool has_moved_ = false;  // in this call of run_some, more than by yields
  std::optional<fiber> thread_;  // made on the thread that runs the worker
  strand* now_ = nullptr;  // null: what called run_some or run_all
  unsigned n_polls_ = 0;  // how often tasks that yielded went on since the last one began
  std::uint64_t n_drops_ = 0;  // executor::n_drops when it dropped its tasks last
  mutable std::mutex
      told_;  // guards what others tell of this worker: strands_, how each waits, and the life of what it handles
  std::vector<std::unique_ptr<strand>> strands_;
  std::vector<strand*> spare_;
  std::deque<strand*> yielded_;
  strand* ready_first_ = nullptr;  // those that this worker has taken from ready_, in the order of resume
  alignas(cache_line_bytes) std::atomic<strand*> ready_{nullptr};  // the last that was resumed, and those before
};

/// As current_worker, which this layer alone sets.
inline worker* this_worker() noexcept { return static_cast<worker*>(current_worker); }

/// A stack on which tasks run.
class worker::strand {
public:
  strand(worker& of, std::size_t stack_bytes);

  /// Its worker.
  worker& home() const noexcept { return home_; }

private:
  friend class worker;

  worker& home_;
  fiber_stacks stacks_;  // one
  fiber strand_;
  // While suspended:
  task_group* group_ = nullptr;  // the worker's group_now
  std::source_location made_;
  const void* scope_ = nullptr;
  const handled_messages* handling_ = nullptr;
  const waiting_note* waits_ = nullptr;  // for reports
  strand* next_ = nullptr;  // in ready_
  bool is_abandoned_ = false;  // never goes on
  bool is_surplus_ = false;  // is about to be freed
};

}  // namespace shoal::internal
