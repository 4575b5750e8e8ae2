/// The tasks of a PE: for which mailbox each counts, and who waits for it. docs/design/tasks.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "shoal/actor/internal/deferred_work.hpp"
#include "shoal/actor/internal/waiting_tasks.hpp"
#include "shoal/task/internal/buffer_copies.hpp"
#include "shoal/task/internal/executor.hpp"
#include "shoal/task/internal/worker_outboxes.hpp"

namespace shoal::internal {

class exchange;
class main_program;
class open_task_scope;
struct pending_answer;

/// A task counts as work that was left for later (deferred_work.hpp): for the mailbox whose handler made it, or for the
/// closures of the superstep in which the main program did. What it makes itself counts for the same. Tasks of a scope do
/// not count, since who opened the scope waits for them.
class pe_tasks final : public waiting_tasks, private work_queue, private task_watcher {
public:
  /// Those of the PE that this thread runs, made by the first call. Ends the job if there is none.
  static pe_tasks& of_this_pe();

  pe_tasks(world& job, exchange& through);
  ~pe_tasks() override;

  worker& here() noexcept { return this_worker() != nullptr ? *this_worker() : workers_.first(); }
  std::size_t n_workers() const noexcept { return workers_.n_workers(); }
  /// Whether a task runs, and no handler in one of its waits: so a wait suspends it.
  bool is_in_task() const noexcept;
  /// The group to which a task belongs that is made now. Ends the job where nothing would wait for it; `call` makes it.
  task_group& group_now(const char* call, const std::source_location& where);
  /// The same, but never that of a scope.
  task_group& group_outside_scopes(const char* call, const std::source_location& where);

  /// As mailbox_of_main_tasks.
  static const superstep_part* mailbox_of_main(const task_group& group) noexcept;

  /// For handlers that run as tasks.
  buffer_copies& copies() noexcept { return copies_; }

  // --- For scopes

  /// A scope of the main program opens, or closes.
  void open_in_main(open_task_scope& scope);
  void close_in_main(const open_task_scope& scope) noexcept;
  bool is_innermost_of_main(const open_task_scope& scope) const noexcept;
  bool has_posted() const noexcept { return workers_.has_posted(); }
  /// For whom tasks of a scope run that opens now. Ends the job where none may open.
  const task_owner* owner_of_new_scope();
  /// The main program waits for the tasks of `scope`.
  void wait_in_main(const task_group& scope, const std::source_location& where);
  /// An exception leaves a scope of the main program that has tasks.
  void break_off(const std::source_location& where) noexcept;

  void wait_in_task(pending_answer& a, const std::source_location& where) override;
  void enter_finish(const std::source_location& where) override;
  void leave_finish(bool is_broken) noexcept override;
  void drop_tasks() noexcept override;
  void wait_for_own_thread(void (*f)(void*), void* argument, const std::source_location& where) override;
  sender_of_task sender_elsewhere() const noexcept override;
  bool has_only(const superstep_part& m, std::uint64_t n) const noexcept override;
  std::size_t overflowed_bytes_at(const void* address) const noexcept override {
    return this_worker() == nullptr ? 0 : this_worker()->overflowed_bytes_at(address);
  }
  [[gnu::cold]] std::string describe() const override { return workers_.describe(); }

private:
  // A mailbox, and the tasks that count for it: those that the main program has made, or others.
  struct counted final : task_owner {
    explicit counted(work_owner owner);

    work_owner owner() const noexcept { return {*whose, is_of_main}; }

    superstep_part* whose;
    std::uint64_t serial;  // of it; a later mailbox may lie in its place
    lambda_actor<world>* closures = nullptr;  // of its superstep
    bool is_of_main;  // the main program has made them
    task_group tasks;
    bool is_left = false;  // whether its tasks count now
  };

  counted& of_owner(work_owner owner);
  void require_main(const char* what) const;

  bool is_main() const noexcept;
  bool run(std::size_t n_most) override;
  worker::turn run_some(std::size_t n_most);
  void post_between_turns();
  bool note_ends();
  bool may_sleep(std::uint64_t n_ended) noexcept;
  bool is_empty() const noexcept override;
  void drop() noexcept override { drop_tasks(); }
  void enter(const task_owner* owner) noexcept override;

  world& job_;
  exchange& exchange_;
  deferred_work& deferred_;
  std::vector<std::unique_ptr<counted>> counted_;  // mailboxes that have tasks, or had some
  std::vector<open_task_scope*>
      scopes_;  // that the main program has open, the innermost last; null: it entered a finish
  std::size_t n_per_turn_ = 1;  // tasks between two looks at what has arrived
  std::int64_t posting_ns_left_ = 0;  // that posting between two turns may take
  unsigned n_idle_turns_ = 0;  // in a row, in which tasks only yielded
  std::unique_ptr<worker_outboxes> outboxes_;  // null: there is one worker
  buffer_copies copies_;
  executor workers_;
};

}  // namespace shoal::internal
