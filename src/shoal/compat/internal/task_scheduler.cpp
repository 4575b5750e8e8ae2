#include "shoal/compat/internal/task_scheduler.hpp"

#include <algorithm>
#include <exception>
#include <source_location>
#include <span>
#include <string>
#include <utility>

#include "shoal/actor/internal/waiting_tasks.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/fiber.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/promises.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal::compat {
namespace {

// Below a stack, beside the page that fiber_stacks guards: a frame that is larger than a page would jump over that one,
// into other memory. It takes address space alone.
constexpr std::size_t guard_bytes = std::size_t{256} << 10;

// Stacks that wait for their next task. One costs 8 microseconds to make, and some 12 KiB of memory once it was used.
constexpr std::size_t n_spare_stacks_most = 1024;

// What reports tell of them.
class told_tasks final : public waiting_tasks {
public:
  std::string describe() const override {
    const std::size_t n = tasks().n_suspended();
    if (n == 0) return {};
    return "; " + std::to_string(n) + (n == 1 ? " more task of HClib waits" : " more tasks of HClib wait");
  }
  std::size_t overflowed_bytes_at(const void* address) const noexcept override {
    return tasks().overflowed_bytes_at(address);
  }
  // These tasks ask no questions, and no scopes of theirs are part of supersteps.
  void wait_in_task(pending_answer&, const std::source_location&) override {}
  void enter_finish(const std::source_location&) override {}
  void leave_finish(bool) noexcept override {}
  void wait_for_own_thread(void (*)(void*), void*, const std::source_location&) override {}
  sender_of_task sender_elsewhere() const noexcept override { return {}; }
  bool has_only(const superstep_part&, std::uint64_t) const noexcept override { return false; }
  void drop_tasks() noexcept override {}
};

}  // namespace

/// A stack that runs one task after another, until one waits.
class task_stack final : public runnable {
public:
  /// The stack that runs now.
  task_stack() noexcept : runnable(this) {}
  task_stack(fiber::entry run, std::size_t bytes)
      : runnable(this),
        memory(std::make_unique<fiber_stacks>(1, guard_bytes + bytes,
                                              "lower SHOAL_TASK_STACK, or let fewer tasks wait at once")),
        strand(memory->stack(0).subspan(guard_bytes), run, nullptr) {
    set_access(guard(), false);
  }
  std::span<std::byte> guard() const noexcept { return memory->stack(0).first(guard_bytes); }
  void wake() noexcept override { tasks().make_runnable(*this); }

  const std::unique_ptr<fiber_stacks> memory;
  fiber strand;
  // The scheduler's, while this stack is suspended.
  finish_scope* scope = nullptr;
  nested_finish* innermost = nullptr;
  const pending_task* task = nullptr;
  std::size_t index = 0;  // in the scheduler's list
};

/// A finish that a task has opened itself. Once its end does not wait, it lives until it is empty.
class nested_finish final : public waiter {
public:
  nested_finish(finish_scope& outside, nested_finish* opened_before) noexcept : around(outside), before(opened_before) {
    around.hold();
  }
  ~nested_finish() { around.release(); }
  void wake() noexcept override {
    put(*promise, nullptr, "hclib_end_finish_nonblocking");
    delete this;
  }

  finish_scope scope;
  finish_scope& around;
  nested_finish* const before;
  hclib_promise_t* promise = nullptr;  // put at its end
};

void refuse_call(const char* call, const char* why) { end_job(status_usage, std::string(call) + " " + why); }

task_scheduler& tasks() noexcept {
  static task_scheduler& one = *new task_scheduler;
  return one;
}

// --- Finishes

void finish_scope::note_empty() noexcept { std::exchange(waiter_, nullptr)->wake(); }

finish_scope* current_finish() noexcept { return tasks().scope(); }

in_finish::in_finish(finish_scope* scope) noexcept : around_(tasks().exchange_scope(scope)) {}
in_finish::~in_finish() { tasks().exchange_scope(around_); }

finish_scope* task_scheduler::exchange_scope(finish_scope* to) noexcept { return std::exchange(scope_, to); }

void task_scheduler::start_finish(const char* call) {
  if (!is_in_launch()) refuse_call(call, "outside of hclib::launch");
  innermost_ = new nested_finish(innermost_scope(), innermost_);
  scope_ = &innermost_->scope;
}

nested_finish& task_scheduler::innermost_finish(const char* call) {
  if (innermost_ == nullptr) refuse_call(call, "without an hclib_start_finish of the same task");
  return *innermost_;
}

void task_scheduler::end_finish(const char* call) {
  nested_finish& its = innermost_finish(call);
  wait(call, [&] { return its.scope.is_empty(); }, [&](waiter& who) { its.scope.add(who); });
  scope_ = &its.around;
  innermost_ = its.before;
  delete &its;
}

void task_scheduler::end_finish_with(hclib_promise_t& promise, const char* call) {
  nested_finish& its = innermost_finish(call);
  scope_ = &its.around;
  innermost_ = its.before;
  its.promise = &promise;
  if (its.scope.is_empty()) return its.wake();
  its.scope.add(its);
}

// --- Tasks

pending_task::pending_task(void (*body)(void*), void* what, finish_scope& of) noexcept
    : run(body), argument(what), scope(of) {
  scope.hold();
}

void pending_task::begin_after(hclib_future_t* const* futures, std::size_t n) {
  for (std::size_t i = n; i-- > 0;) {
    if (futures[i] != nullptr && !is_put(*futures[i]->owner)) awaited_.push_back(futures[i]->owner);
  }
  if (awaited_.empty()) return tasks().make_runnable(*this);
  add_waiter(*awaited_.back(), *this);
}

void pending_task::wake() noexcept {
  while (!awaited_.empty() && is_put(*awaited_.back())) awaited_.pop_back();
  if (awaited_.empty()) return tasks().make_runnable(*this);
  add_waiter(*awaited_.back(), *this);
}

task_scheduler::task_scheduler() = default;
task_scheduler::~task_scheduler() = default;

void task_scheduler::run_root(void (*body)(void*), void* argument) {
  // Programs of HClib use more than Shoal's tasks.
  world& w = world_for("hclib::launch");
  stack_bytes_ = std::max(std::size_t{1} << 20, w.chosen_settings().task_stack_bytes.value);
  std::unique_ptr<kept_work>& told = w.message_exchange().parts().tasks;
  if (told == nullptr) told = std::make_unique<told_tasks>();
  task_stack here_now;
  finish_scope root;
  now_ = &here_now;
  root_ = scope_ = &root;
  run_body(body, argument, "the body of hclib::launch");
  wait("hclib::launch", [&] { return root.is_empty(); }, [&](waiter& who) { root.add(who); });
  SHOAL_ASSERT(ready_.is_empty() && spare_.size() == stacks_.size());
  spare_.clear();
  stacks_.clear();
  root_ = scope_ = nullptr;
  now_ = nullptr;
}

void task_scheduler::spawn(void (*body)(void*), void* argument, hclib_future_t* const* futures, std::size_t n,
                           const char* call) {
  if (!is_in_launch()) refuse_call(call, "outside of hclib::launch");
  (new pending_task(body, argument, innermost_scope()))->begin_after(futures, n);
}

void task_scheduler::run(pending_task& its) noexcept {
  ++n_tasks_;
  scope_ = &its.scope;
  task_ = &its;
  run_body(its.run, its.argument, "a task of hclib::async");
  scope_ = root_;
  task_ = nullptr;
  finish_scope& scope = its.scope;
  delete &its;
  scope.release();
}

void task_scheduler::run_body(void (*body)(void*), void* argument, const char* what) noexcept {
  nested_finish* const before = innermost_;
  try {
    body(argument);
  } catch (const std::exception& e) {
    end_job(status_failure, std::string(what) + " threw: " + one_line(e.what()));
  } catch (...) {
    end_job(status_failure, std::string(what) + " threw something that is not a std::exception");
  }
  if (innermost_ != before) refuse_call("hclib_start_finish", "without an hclib_end_finish of the same task");
}

void task_scheduler::make_runnable(task_stack& its) noexcept { ready_.add_woken(its); }

// --- Waits

waiter& task_scheduler::this_stack() noexcept { return *now_; }

void task_scheduler::require_wait(const char* call) {
  if (is_in_handler()) {
    refuse_call(call,
                "in a handler, where nothing may wait; let an hclib::async_await go on, or do it in the main program");
  }
  if (!is_in_launch()) refuse_call(call, "would wait outside of hclib::launch, where no tasks run");
}

void task_scheduler::idle(unsigned& patience) {
  if (!is_open()) refuse_call(call_, "waits for what cannot come: the job was closed in the body of hclib::launch");
  if (idle_callback == nullptr) return wait_at_yield_point(patience);
  idle_callback(0, n_idle_steps_);
  if (ready_.is_empty()) pass_time(run_handlers());
}

// One step of a loop that may end by what no message tells of.
void task_scheduler::pass_time(bool has_moved) {
  exchange& through = world_for("hclib::yield").message_exchange();
  if (has_moved || through.flush()) {
    n_idle_steps_ = 0;
  } else {
    through.note_idle_call(n_idle_steps_, true);
  }
}

void task_scheduler::yield() {
  if (is_in_handler()) return;
  const bool has_moved = run_handlers();
  if (!ready_.is_empty()) {
    n_idle_steps_ = 0;
    ready_.add_yielded(*now_);
    ready_.run_by_age();
    switch_away();
  } else if (is_open()) {
    // A program that loops on yield waits for another PE, which may need this core.
    pass_time(has_moved);
  }
}

task_stack& task_scheduler::spare_stack() {
  if (spare_.empty()) {
    try {
      stacks_.push_back(std::make_unique<task_stack>([](void*) { tasks().loop(); }, stack_bytes_));
    } catch (const setup_error& e) {
      end_job(status_usage,
              std::to_string(stacks_.size()) + " tasks wait at once, and there is no stack for another: " + e.what());
    }
    stacks_.back()->index = stacks_.size() - 1;
    n_stacks_most_ = std::max(n_stacks_most_, stacks_.size());
    return *stacks_.back();
  }
  task_stack& its = *spare_.back();
  spare_.pop_back();
  return its;
}

// From a stack that is in a list, or in the queue, and goes on when it is woken.
void task_scheduler::switch_away() {
  runnable& next = ready_.take();
  if (next.stack == nullptr) {
    next_task_ = static_cast<pending_task*>(&next);
    switch_to(spare_stack());
  } else if (next.stack != now_) {
    switch_to(*next.stack);
  }
}

void task_scheduler::switch_to(task_stack& next) {
  task_stack& mine = *now_;
  mine.scope = std::exchange(scope_, root_);
  mine.innermost = std::exchange(innermost_, nullptr);
  mine.task = std::exchange(task_, nullptr);
  pe_ = current_pe;
  now_ = &next;
  ++n_switches_;
  mine.strand.switch_to(next.strand);
  SHOAL_ASSERT(now_ == &mine);
  current_pe = pe_;
  scope_ = mine.scope;
  innermost_ = mine.innermost;
  task_ = mine.task;
  if (spare_.size() > n_spare_stacks_most) free_surplus();
}

std::size_t task_scheduler::overflowed_bytes_at(const void* address) const noexcept {
  if (now_ == nullptr || now_->memory == nullptr) return 0;
  const std::span<const std::byte> guard = now_->guard();
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(guard.data());
  const bool is_in_guard = offset < guard.size() || now_->memory->guard_index_of(address) != fiber_stacks::none;
  return is_in_guard ? stack_bytes_ : 0;
}

void task_scheduler::free_surplus() {
  const std::size_t index = spare_.back()->index;
  spare_.pop_back();
  std::swap(stacks_[index], stacks_.back());
  stacks_[index]->index = index;
  stacks_.pop_back();
}

// Each stack but the first runs this.
void task_scheduler::loop() noexcept {
  current_pe = pe_;
  task_stack& mine = *now_;
  for (unsigned patience = 0;;) {
    if (next_task_ != nullptr) run(*std::exchange(next_task_, nullptr));
    run_handlers();
    if (ready_.is_empty()) {
      idle(patience);
      continue;
    }
    patience = 0;
    runnable& next = ready_.take();
    if (next.stack == nullptr) {
      run(static_cast<pending_task&>(next));
    } else {
      spare_.push_back(&mine);
      switch_to(*next.stack);
    }
  }
}

}  // namespace shoal::internal::compat
