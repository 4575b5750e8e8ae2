/// The tasks of a PE: for which mailbox each counts, and who waits for it. docs/design/tasks.md
#pragma once

#include <cstddef>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "shoal/actor/internal/deferred_work.hpp"
#include "shoal/actor/internal/waiting_tasks.hpp"
#include "shoal/task/internal/executor.hpp"

namespace shoal::internal {

class exchange;
class main_program;
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

  worker& here() noexcept { return current_worker != nullptr ? *current_worker : workers_.first(); }
  std::size_t n_workers() const noexcept { return workers_.n_workers(); }
  /// Whether a task runs, and no handler in one of its waits: so a wait suspends it.
  bool is_in_task() const noexcept;
  /// The group to which a task belongs that is made now. Ends the job where nothing would wait for it.
  task_group& group_now(const std::source_location& where);

  // --- For scopes

  /// A scope opens, or closes. `scope`: from now on, what the main program makes belongs to it. Returns the one before.
  task_group* open_in_main(task_group& scope);
  void close_in_main(task_group* around) noexcept;
  /// For whom tasks of a scope run that opens now.
  const task_owner* owner_now() noexcept;
  bool is_innermost_of_main(const task_group& scope) const noexcept { return scope_of_main_ == &scope; }
  /// The main program waits for the tasks of `scope`.
  void wait_in_main(const task_group& scope, const std::source_location& where);
  /// Ends the job where a scope cannot be opened.
  void require_scope() const;

  // --- For answers

  void wait_in_task(pending_answer& a, const std::source_location& where) override;

  [[gnu::cold]] std::string describe() const override;

private:
  // A mailbox, and the tasks that count for it.
  struct counted final : task_owner {
    explicit counted(superstep_part& mailbox) : whose(&mailbox), tasks(this) {}

    superstep_part* whose;
    task_group tasks;
    bool is_left = false;  // whether its tasks count now
  };

  counted& of_mailbox(superstep_part& whose);

  bool run(std::size_t n_most) override;
  bool is_empty() const noexcept override;
  void drop() noexcept override;
  void enter(const task_owner* owner) noexcept override;

  world& job_;
  exchange& exchange_;
  deferred_work& deferred_;
  std::vector<std::unique_ptr<counted>> counted_;  // mailboxes that have tasks, or had some
  task_group* scope_of_main_ = nullptr;  // the innermost; null: none is open
  std::size_t n_scopes_ = 0;  // opened by the main program
  executor workers_;
};

}  // namespace shoal::internal
