#include "shoal/task/internal/pe_tasks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/internal/supersteps.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/task/internal/task_place.hpp"
#include "shoal/task/task.hpp"

namespace shoal::internal {
namespace {

// Between two looks at what has arrived. A task takes longer than an item of work_list.
constexpr std::size_t n_tasks_per_turn = 16;

// Lets a task go on when its answer is there.
class task_continuation final : public continuation {
public:
  explicit task_continuation(worker::strand& waiting) noexcept : waiting_(waiting) {}
  void run() override { waiting_.home().resume(waiting_); }
  void drop() noexcept override {}  // the task never goes on

private:
  worker::strand& waiting_;
};

}  // namespace

pe_tasks& pe_tasks::of_this_pe() {
  world& job = world::of_job();
  exchange& through = job.message_exchange();
  std::unique_ptr<kept_work>& place = through.parts().tasks;
  if (place == nullptr) place = std::make_unique<pe_tasks>(job, through);
  return static_cast<pe_tasks&>(*place);
}

pe_tasks::pe_tasks(world& job, exchange& through)
    : work_queue(job.scopes().deferred(), std::string(name_of_tasks)),
      job_(job),
      exchange_(through),
      deferred_(job.scopes().deferred()),
      workers_({.n_workers = 1,
                .stack_bytes = job.chosen_settings().task_stack_bytes.value,
                .seed = static_cast<std::uint64_t>(job.my_pe()),
                .pe = &job,
                .watcher = this}) {}

pe_tasks::~pe_tasks() {
  for (const auto& each : counted_) each->tasks.forget();
}

bool pe_tasks::is_in_task() const noexcept {
  return current_worker != nullptr && exchange_.now().running() == nullptr && !job_.answers().are_running();
}

// A handler may run in a wait of a task, or of a main program that has opened a scope.
task_group& pe_tasks::group_now(const std::source_location& where) {
  if (is_in_task()) return *current_worker->group_now();
  const bool is_main = exchange_.now().running() == nullptr && exchange_.now().working() == nullptr;
  if (is_main && scope_of_main_ != nullptr) return *scope_of_main_;
  superstep_part* const whose = sender_now();
  if (whose == nullptr) {
    end_job(status_usage, "async (" + source_place(where) +
                              ") outside finish; nothing would wait for the task, so make it "
                              "inside world.finish or in a task_scope");
  }
  counted& its = of_mailbox(*whose);
  if (!its.is_left) {
    its.is_left = true;
    whose->note_left();
    enter_list();
  }
  return its.tasks;
}

pe_tasks::counted& pe_tasks::of_mailbox(superstep_part& whose) {
  const auto its = std::ranges::find_if(counted_, [&](const auto& each) { return each->whose == &whose; });
  if (its != counted_.end()) return **its;
  return *counted_.emplace_back(std::make_unique<counted>(whose));
}

task_group* pe_tasks::open_in_main(task_group& scope) {
  ++n_scopes_;
  enter_list();
  return std::exchange(scope_of_main_, &scope);
}

void pe_tasks::close_in_main(task_group* around) noexcept {
  --n_scopes_;
  scope_of_main_ = around;
}

const task_owner* pe_tasks::owner_now() noexcept {
  if (is_in_task()) return current_worker->group_now()->owner();
  superstep_part* const whose = sender_now();
  return whose == nullptr ? nullptr : &of_mailbox(*whose);
}

void pe_tasks::wait_in_main(const task_group& scope, const std::source_location& where) {
  const main_program::wait note(deferred_.caller(), exchange_, "wait of a task_scope", where);
  for (unsigned patience = 0; !scope.is_empty();) exchange_.progress_or_idle(patience);
}

void pe_tasks::require_scope() const { deferred_.caller().require("a task_scope"); }

void pe_tasks::wait_in_task(pending_answer& a, const std::source_location& where) {
  worker& here = *current_worker;
  task_continuation resumes(here.now());
  job_.answers().attach(a, resumes, where);
  here.suspend("an answer", where);
}

bool pe_tasks::run(std::size_t n_most) {
  const bool has_moved = workers_.run_some(std::min(n_most, n_tasks_per_turn));
  for (const auto& each : counted_) {
    if (!each->is_left || !each->tasks.is_empty()) continue;
    each->is_left = false;
    end_item(*each->whose);
  }
  if (is_empty()) counted_.clear();  // their mailboxes may end
  return has_moved;
}

bool pe_tasks::is_empty() const noexcept {
  return n_scopes_ == 0 && std::ranges::none_of(counted_, [](const auto& each) { return each->is_left; });
}

// Suspended tasks never go on. What they hold stays.
void pe_tasks::drop() noexcept {
  workers_.first().drop_all();
  for (const auto& each : counted_) {
    each->is_left = false;
    each->tasks.forget();
  }
}

void pe_tasks::enter(const task_owner* owner) noexcept {
  if (owner == nullptr) return deferred_.end_items();
  begin_item(*static_cast<const counted*>(owner)->whose);
}

std::string pe_tasks::describe() const { return workers_.first().describe_suspended(3); }

// --- What programs call

task_place place_of_task(const std::source_location& where) {
  pe_tasks& all = pe_tasks::of_this_pe();
  return {all.here(), all.group_now(where)};
}

void waiting_task::begin_one(task& its) { pe_tasks::of_this_pe().here().push(its); }

void waiting_task::drop(task& its) noexcept { pe_tasks::of_this_pe().here().drop(its); }

void yield_task(const std::source_location& where) {
  if (!pe_tasks::of_this_pe().is_in_task()) {
    end_job(status_usage,
            "yield_task (" + source_place(where) + ") outside a task; the main program calls world.progress");
  }
  current_worker->yield();
}

// Several for each worker, so that none waits long for the others; in each dimension, so that tiles are about cubes.
void choose_tiles(std::span<task_range> ranges) {
  constexpr double n_tiles_per_worker = 8;
  const auto n_tiles = static_cast<double>(pe_tasks::of_this_pe().n_workers()) * n_tiles_per_worker;
  const double n_of_each = std::pow(n_tiles, 1.0 / static_cast<double>(ranges.size()));
  for (task_range& each : ranges) {
    if (each.tile <= 0)
      each.tile = std::max<std::int64_t>(1, std::llround(static_cast<double>(each.size()) / n_of_each));
  }
}

open_task_scope::open_task_scope(const std::source_location& where)
    : all_(pe_tasks::of_this_pe()),
      opened_in_(all_.is_in_task() ? current_worker : nullptr),
      where_(where),
      group_(all_.owner_now()) {
  if (opened_in_ != nullptr) {
    around_ = opened_in_->exchange_group(&group_);
  } else {
    all_.require_scope();
    around_ = all_.open_in_main(group_);
  }
}

open_task_scope::~open_task_scope() {
  wait(where_);
  if (opened_in_ != nullptr) {
    opened_in_->exchange_group(around_);
  } else {
    all_.close_in_main(around_);
  }
}

void open_task_scope::require_innermost(const char* call, const std::source_location& where) const {
  const bool is_innermost =
      opened_in_ != nullptr ? all_.is_in_task() && current_worker == opened_in_ && opened_in_->group_now() == &group_
                            : !all_.is_in_task() && all_.is_innermost_of_main(group_);
  if (is_innermost) return;
  end_job(status_usage, std::string(call) + " of a task_scope (" + source_place(where) +
                            ") by another task, or while a scope " +
                            "that was opened later is open; who opened a scope uses it, and closes later ones before");
}

void open_task_scope::wait(const std::source_location& where) {
  if (group_.is_empty()) return;
  require_innermost("wait", where);
  if (opened_in_ != nullptr) {
    opened_in_->wait_for(group_, where);
  } else {
    all_.wait_in_main(group_, where);
  }
}

task_place open_task_scope::place(const std::source_location& where) {
  require_innermost("async", where);
  return {all_.here(), group_};
}

}  // namespace shoal::internal
