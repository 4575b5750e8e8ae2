#include "shoal/task/internal/pe_tasks.hpp"

#include <algorithm>
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
#include "shoal/task/internal/task_continuation.hpp"
#include "shoal/task/internal/task_place.hpp"
#include "shoal/task/task.hpp"

namespace shoal::internal {
namespace {

// So many tasks run between two looks at what has arrived that these are about so far apart: other PEs wait for what a look
// does, and a look takes as long as an empty task.
constexpr std::uint64_t turn_ns_least = 10'000;
constexpr std::uint64_t turn_ns_most = 40'000;
constexpr std::size_t n_per_turn_most = 64;
// Posting what lies in open buffers takes at most one part in so many of the time of tasks. So much of it is saved up.
constexpr std::uint64_t n_parts_of_posting = 20;
constexpr std::int64_t posting_ns_most = 1'000'000;

// Buffers whose messages other workers handle or will handle next, for each of these. With fewer, a worker would wait for the
// PE's own thread, which may be handling a buffer itself; more would only take memory.
constexpr std::size_t n_copies_per_worker = 4;

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
      outboxes_(through.parts().has_workers
                    ? std::make_unique<worker_outboxes>(through, through.backend().threads(),
                                                        static_cast<std::size_t>(job.chosen_settings().n_workers.value))
                    : nullptr),
      copies_(through.payload_bytes(),
              n_copies_per_worker * static_cast<std::size_t>(job.chosen_settings().n_workers.value - 1)),
      workers_({.n_workers = static_cast<std::size_t>(job.chosen_settings().n_workers.value),
                .stack_bytes = job.chosen_settings().task_stack_bytes.value,
                .seed = static_cast<std::uint64_t>(job.my_pe()),
                .pe = &job,
                .watcher = this,
                .threads = outboxes_ == nullptr ? nullptr : &through.backend().threads(),
                .outboxes = outboxes_.get()}) {}

pe_tasks::counted::counted(work_owner owner)
    : whose(&owner.mailbox()), serial(whose->serial()), is_of_main(owner.is_of_main()), tasks(this) {}

pe_tasks::~pe_tasks() {
  for (const auto& each : counted_) each->tasks.forget();
}

// On the PE's own thread, handlers and what waited for answers may run on the stack of a task.
bool pe_tasks::is_in_task() const noexcept {
  if (current_worker == nullptr || handled_by_task() != nullptr) return false;
  return other_worker() != nullptr || (exchange_.now().running() == nullptr && !job_.answers().are_running());
}

bool pe_tasks::is_main() const noexcept {
  const delivery& now = exchange_.now();
  return current_worker == nullptr && now.running() == nullptr && now.working() == nullptr &&
         !job_.answers().are_running();
}

// Handlers may run in a wait of a task, or of a main program that has opened a scope. What waited for an answer runs in
// handlers, too, but outside finish on the stack of whoever made the answer.
task_group& pe_tasks::group_now(const char* call, const std::source_location& where) {
  if (other_worker() != nullptr) return *this_worker()->group_now();
  const delivery& now = exchange_.now();
  if (current_worker != nullptr && now.running() == nullptr) return *this_worker()->group_now();
  const bool is_of_main = now.running() == nullptr && now.working() == nullptr;
  if (is_of_main && !scopes_.empty() && scopes_.back() != nullptr) return scopes_.back()->group();
  superstep_part* const whose = sender_now();
  if (whose == nullptr) {
    end_job(status_usage,
            std::string(call) + " (" + source_place(where) +
                ") outside finish; nothing would wait for the task, so make it inside world.finish or in a "
                "task_scope");
  }
  counted& its = of_owner(owner_now());
  if (!its.is_left) {
    its.is_left = true;
    whose->work().note_item_left(its.is_of_main);
    enter_list();
  }
  return its.tasks;
}

task_group& pe_tasks::group_outside_scopes(const char* call, const std::source_location& where) {
  task_group& now = group_now(call, where);
  if (now.owner() == nullptr) return now;
  return const_cast<counted*>(static_cast<const counted*>(now.owner()))->tasks;
}

pe_tasks::counted& pe_tasks::of_owner(work_owner owner) {
  superstep_part& whose = owner.mailbox();
  const auto its = std::ranges::find_if(
      counted_, [&](const auto& each) { return each->owner() == owner && each->serial == whose.serial(); });
  if (its != counted_.end()) return **its;
  counted& made = *counted_.emplace_back(std::make_unique<counted>(owner));
  made.closures = &whose.steps().closures();
  return made;
}

void pe_tasks::open_in_main(open_task_scope& scope) {
  scopes_.push_back(&scope);
  enter_list();
}

void pe_tasks::close_in_main(const open_task_scope& scope) noexcept { std::erase(scopes_, &scope); }

bool pe_tasks::is_innermost_of_main(const open_task_scope& scope) const noexcept {
  return is_main() && !scopes_.empty() && scopes_.back() == &scope;
}

// Tasks of a scope that was opened outside finish count for no superstep; they would send in this one all the same.
void pe_tasks::enter_finish(const std::source_location& where) {
  for (open_task_scope* each : scopes_) {
    if (each == nullptr || each->group().owner() != nullptr || each->group().is_empty()) continue;
    end_job(status_usage,
            "finish (" + source_place(where) + ") while tasks of a task_scope (" + source_place(each->where()) +
                ") that was opened outside finish have not ended; wait for the scope before, or open it inside");
  }
  scopes_.push_back(nullptr);
}

void pe_tasks::leave_finish(bool is_broken) noexcept {
  const auto entered = std::ranges::find(scopes_.rbegin(), scopes_.rend(), nullptr);
  if (entered == scopes_.rend()) return;  // the finish in which the first task was made
  if (entered != scopes_.rbegin() && !is_broken) {
    end_job(status_usage, "a task_scope (" + source_place(scopes_.back()->where()) +
                              ") is open at the end of the finish in which it was opened; close it before");
  }
  scopes_.erase(entered.base() - 1);
}

const task_owner* pe_tasks::owner_of_new_scope() {
  if (is_in_task()) return this_worker()->group_now()->owner();
  require_main("a task_scope");
  superstep_part* const whose = sender_now();
  return whose == nullptr ? nullptr : &of_owner(owner_now());
}

void pe_tasks::wait_in_main(const task_group& scope, const std::source_location& where) {
  deferred_.caller().require("wait of a task_scope");
  const main_program::wait note(deferred_.caller(), exchange_, "wait of a task_scope", where);
  for (unsigned patience = 0; !scope.is_empty() || workers_.has_posted();) exchange_.progress_or_idle(patience);
}

void pe_tasks::require_main(const char* what) const { deferred_.caller().require(what); }

void pe_tasks::break_off(const std::source_location& where) noexcept {
  drop_tasks();
  deferred_.caller().break_off("an exception left a task_scope (" + source_place(where) +
                               ") whose tasks had not ended; wait for them first, or catch it inside");
}

void pe_tasks::wait_for_own_thread(void (*f)(void*), void* argument, const std::source_location& where) {
  worker& here = *this_worker();
  here.post([f, argument, &waiting = here.now()] {
    f(argument);
    waiting.home().resume(waiting);
  });
  here.suspend("the PE's own thread", where);
}

sender_of_task pe_tasks::sender_elsewhere() const noexcept {
  const auto* const owner = static_cast<const counted*>(this_worker()->group_now()->owner());
  return owner == nullptr ? sender_of_task{} : sender_of_task{owner->whose, owner->closures, owner->is_of_main};
}

void pe_tasks::wait_in_task(pending_answer& a, const std::source_location& where) {
  worker& here = *this_worker();
  const task_group* group = here.group_now();
  for (auto* each = static_cast<const open_task_scope*>(here.scope_now()); each != nullptr; each = each->around()) {
    group = &each->group_around();
  }
  task_continuation resumes(here, mailbox_of_main(*group));
  job_.answers().attach(a, resumes, where);
  here.suspend("an answer", where);
}

bool pe_tasks::run(std::size_t n_most) {
  workers_.note_awake();
  const std::uint64_t n_ended = workers_.n_groups_ended();
  bool has_moved = workers_.run_posted();
  const worker::turn last = run_some(n_most);
  has_moved |= note_ends();
  if (last != worker::turn::only_yields) {
    n_idle_turns_ = 0;
    has_moved |= last == worker::turn::moved;
    return has_moved || (outboxes_ != nullptr && !may_sleep(n_ended));
  }
  // Tasks wait for messages, perhaps, in a loop around yield_task. As in a loop around progress, what lies in this PE's
  // buffers has to leave.
  if (has_moved || exchange_.flush()) {
    n_idle_turns_ = 0;
  } else {
    exchange_.note_idle_call(n_idle_turns_, true);
  }
  return true;
}

bool pe_tasks::may_sleep(std::uint64_t n_ended) noexcept {
  outboxes_->ask_for_all();
  if (!workers_.may_sleep(n_ended)) return false;
  if (!outboxes_->has_handed()) return true;
  workers_.note_awake();
  return false;
}

worker::turn pe_tasks::run_some(std::size_t n_most) {
  if (workers_.is_any_work(workers_.first())) post_between_turns();  // what handlers have sent since the last one
  substrate& backend = exchange_.backend();
  const std::uint64_t begin_ns = backend.stopwatch_ns();
  const worker::turn its = workers_.run_some(std::min(n_most, n_per_turn_));
  const std::uint64_t took_ns = backend.stopwatch_ns() - begin_ns;
  if (its != worker::turn::moved) return its;
  if (took_ns > turn_ns_most) n_per_turn_ = 1;
  if (took_ns < turn_ns_least) n_per_turn_ = std::min(n_per_turn_most, 2 * n_per_turn_);
  posting_ns_left_ =
      std::min(posting_ns_most, posting_ns_left_ + static_cast<std::int64_t>(took_ns / n_parts_of_posting));
  post_between_turns();
  return its;
}

// Others wait for what tasks send, and for answers, though this PE has further tasks: a wait posts only when it has none.
void pe_tasks::post_between_turns() {
  if (posting_ns_left_ <= 0) return;
  if (outboxes_ != nullptr) outboxes_->ask_for_all();
  substrate& backend = exchange_.backend();
  const std::uint64_t begin_ns = backend.stopwatch_ns();
  if (exchange_.flush()) posting_ns_left_ -= static_cast<std::int64_t>(backend.stopwatch_ns() - begin_ns);
}

// What a task posts comes before its end.
bool pe_tasks::has_only(const superstep_part& m, std::uint64_t n) const noexcept {
  const auto its = std::ranges::find_if(
      counted_, [&](const auto& each) { return each->is_left && each->is_of_main && each->whose == &m; });
  return its != counted_.end() && static_cast<std::uint64_t>((*its)->tasks.n()) == n && !workers_.has_posted();
}

// Mailboxes whose tasks have all ended need not wait for them any more. What these have posted comes before, and may make
// other tasks. Returns whether there was anything.
bool pe_tasks::note_ends() {
  for (const auto& each : counted_) {
    if (!each->is_left || !each->tasks.is_empty()) continue;
    if (workers_.run_posted()) return true;
    each->is_left = false;
    end_item(each->owner());
  }
  if (is_empty()) counted_.clear();  // their mailboxes may end
  return false;
}

bool pe_tasks::is_empty() const noexcept {
  if (outboxes_ != nullptr && (workers_.has_posted() || !outboxes_->is_empty())) return false;
  return std::ranges::all_of(scopes_, [](const open_task_scope* each) { return each == nullptr; }) &&
         std::ranges::none_of(counted_, [](const auto& each) { return each->is_left; });
}

// What suspended tasks hold stays.
void pe_tasks::drop_tasks() noexcept {
  if (outboxes_ != nullptr) outboxes_->drop(true);
  workers_.drop_all();
  if (outboxes_ != nullptr) outboxes_->drop(false);
  for (const auto& each : counted_) {
    each->is_left = false;
    each->tasks.forget();
  }
  for (open_task_scope* each : scopes_) {
    if (each != nullptr) each->group().forget();
  }
}

void pe_tasks::enter(const task_owner* owner) noexcept {
  if (owner == nullptr) return deferred_.end_items();
  begin_item(static_cast<const counted*>(owner)->owner());
}

const superstep_part* pe_tasks::mailbox_of_main(const task_group& group) noexcept {
  const auto* const its = static_cast<const counted*>(group.owner());
  return its != nullptr && its->is_of_main && &its->tasks == &group ? its->whose : nullptr;
}

}  // namespace shoal::internal
