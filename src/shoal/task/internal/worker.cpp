#include "shoal/task/internal/worker.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/handled_messages.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/task/internal/executor.hpp"
#include "shoal/task/internal/worker_outboxes.hpp"

namespace shoal::internal {
namespace {

// Stacks that wait for their next task. One costs 8 microseconds to make, and some 12 KiB of memory once it was used.
constexpr std::size_t n_spare_strands_most = 1024;

// "a task (file:line)" or the like; empty: nothing that the program knows runs.
std::string in_words(const handled_messages* handled, const std::source_location& made) {
  if (handled != nullptr) return "a handler (" + handled->describe() + ")";
  return made.line() == 0 ? std::string() : "a task (" + source_place(made) + ")";
}

// Ends the wait of a task that is suspended.
class resumes final : public end_listener {
public:
  explicit resumes(worker::strand& suspended) noexcept : suspended_(suspended) {}
  void note_end() noexcept override { suspended_.home().resume(suspended_); }

private:
  worker::strand& suspended_;
};

}  // namespace

// While it lives, reports tell how the strand that runs waits.
class worker::waiting_note {
public:
  waiting_note(worker& of, const char* what, const std::source_location& where)
      : handled(of.handling()), made(of.made_now()), waits_for(what), waits_at(where), of_(of), strand_(*of.now_) {
    change(this);
  }
  ~waiting_note() { change(nullptr); }
  waiting_note(const waiting_note&) = delete;
  waiting_note& operator=(const waiting_note&) = delete;

  const handled_messages* const handled;
  const std::source_location made;
  const char* const waits_for;
  const std::source_location waits_at;

private:
  void change(const waiting_note* to) {
    std::unique_lock told(of_.told_, std::defer_lock);
    if (of_.is_shared_) told.lock();
    strand_.waits_ = to;
  }

  worker& of_;
  strand& strand_;
};

worker::strand::strand(worker& of, std::size_t stack_bytes)
    : home_(of),
      stacks_(1, stack_bytes, "lower SHOAL_TASK_STACK, or let fewer tasks wait at once"),
      strand_(stacks_.stack(0), [](void* argument) { static_cast<worker*>(argument)->loop(); }, &of) {}

worker::worker(executor& all, std::size_t number, std::uint64_t seed)
    : pe_worker(number),
      all_(all),
      is_shared_(all.is_shared()),
      outboxes_(number == 0 ? nullptr : all.options().outboxes),
      tasks_(all.is_shared()),
      victims_(seed, number) {}

worker::~worker() = default;

void worker::note_pushed() noexcept { all_.note_pushed(*this); }

void worker::notify_pe() noexcept { all_.notify_first(); }

void worker::handle(const handled_messages* its) noexcept {
  const std::lock_guard told(told_);
  set_handling(its);
}

void worker::wait_for_pe(unsigned& patience, const std::atomic<std::size_t>& n_available) noexcept {
  is_waiting_for_room_.store(true, std::memory_order_relaxed);
  all_.notify_first();
  all_.threads().idle(patience, [&] { return n_available.load(std::memory_order_seq_cst) != 0 || all_.is_dropping(); });
  is_waiting_for_room_.store(false, std::memory_order_relaxed);
  all_.pass_on_wake();
}

// The main program and handlers run in between, so each call of run_some begins with nobody's tasks.
void worker::enter(const task_owner* owner) noexcept {
  if (owner == owner_now_) return;
  owner_now_ = owner;
  if (number() == 0 && all_.options().watcher != nullptr) all_.options().watcher->enter(owner);
}

void worker::wait_for(task_group& group, const std::source_location& where) {
  SHOAL_ASSERT(now_ != nullptr);
  while (!group.is_empty()) {
    // What this task, and the tasks that it waited for, have made last is the end of the deque.
    if (task* const last = tasks_.pop(); last != nullptr) {
      if (last->group == &group) {
        run(*last);
        if (number() == 0 && --n_left_ <= 0) {  // the main program waits, and handlers with it
          resume(*now_);
          switch_away();
        }
        continue;
      }
      push(*last);
    }
    resumes listener(*now_);
    if (!group.listen(listener, is_shared_)) return;
    suspend("tasks", where);
    return;
  }
}

void worker::suspend(const char* what, const std::source_location& where) {
  const waiting_note note(*this, what, where);
  switch_away();
}

void worker::yield(const std::source_location& where) {
  const waiting_note note(*this, "others, by yield_task", where);
  yielded_.push_back(now_);
  switch_away();
}

void worker::resume(strand& suspended) noexcept {
  strand* last = ready_.load(std::memory_order_relaxed);
  if (!is_shared_) {
    suspended.next_ = last;
    return ready_.store(&suspended, std::memory_order_relaxed);
  }
  do {
    suspended.next_ = last;
  } while (!ready_.compare_exchange_weak(last, &suspended, std::memory_order_seq_cst, std::memory_order_relaxed));
  number() == 0 ? all_.notify_first() : all_.threads().wake_all();
}

worker::strand* worker::next_ready() noexcept {
  if (ready_first_ == nullptr) {
    if (ready_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    // The last comes first there.
    strand* each = ready_.exchange(nullptr, std::memory_order_acquire);
    while (each != nullptr) {
      strand* const before = each->next_;
      each->next_ = ready_first_;
      ready_first_ = each;
      each = before;
    }
  }
  strand* const first = ready_first_;
  ready_first_ = first->next_;
  return first->is_abandoned_ ? next_ready() : first;
}

worker::strand& worker::spare_strand() {
  if (spare_.empty()) {
    try {
      auto its = std::make_unique<strand>(*this, all_.options().stack_bytes);
      const std::lock_guard told(told_);
      strands_.push_back(std::move(its));
    } catch (const setup_error& e) {
      end_job(status_usage,
              std::to_string(strands_.size()) + " tasks wait at once, and there is no stack for another: " + e.what());
    }
    return *strands_.back();
  }
  strand& its = *spare_.back();
  spare_.pop_back();
  return its;
}

// The strand that runs is the caller's; it goes on when it is resumed.
void worker::switch_away() {
  if (outboxes_ != nullptr) outboxes_->hand_over(number());
  strand& mine = *now_;
  mine.group_ = group_now_;
  mine.made_ = made_now();
  mine.scope_ = scope_now_;
  mine.handling_ = handling();
  now_ = &spare_strand();
  group_now_ = nullptr;
  set_made({});
  scope_now_ = nullptr;
  set_handling(nullptr);
  mine.strand_.switch_to(now_->strand_);
  SHOAL_ASSERT(now_ == &mine);
  group_now_ = mine.group_;
  set_made(mine.made_);
  scope_now_ = mine.scope_;
  set_handling(mine.handling_);
  enter(group_now_->owner());
}

void worker::run(task& its) noexcept {
  task_group* const around = std::exchange(group_now_, its.group);
  const std::source_location made_around = made_now();
  set_made(its.where);
  const void* const scope_around = std::exchange(scope_now_, nullptr);
  enter(its.group->owner());
  try {
    its.behave(its, task::end::runs);
  } catch (const std::exception& e) {
    end_job(status_failure, "a task (" + source_place(its.where) + ") threw: " + one_line(e.what()));
  } catch (...) {
    end_job(status_failure, "a task (" + source_place(its.where) + ") threw something that is not a std::exception");
  }
  group_now_ = around;
  set_made(made_around);
  scope_now_ = scope_around;
  task_group& group = *its.group;
  free(its);
  end_one(group);
  if (is_shared_) all_.take_turn();
}

// The main program may wait for the group, asleep.
void worker::end_one(task_group& group) noexcept {
  if (group.end_one(is_shared_) && number() != 0) all_.note_group_ended();
}

void worker::free(task& its) noexcept {
  if (its.home == number()) return memory_.deallocate(&its, its.size_class);
  worker& home = all_.at(its.home);
  home.memory_.take_back_from_other(&its, its.size_class);
}

task* worker::next_task() noexcept {
  if (task* const last = tasks_.pop(); last != nullptr) return last;
  return is_shared_ ? all_.steal(*this, victims_) : nullptr;
}

// On the PE's own thread, as long as run_some lets it; on another one, unless tasks are being dropped.
bool worker::may_run() noexcept {
  if (number() == 0) return n_left_ > 0;
  if (!all_.is_dropping()) [[likely]]
    return true;
  if (const std::uint64_t n = all_.n_drops(); n_drops_ != n) {
    n_drops_ = n;
    drop_all(true);
    if (outboxes_ != nullptr) outboxes_->discard(number());
    all_.note_dropped();
  }
  return false;
}

// Each strand runs this. A strand that resumes another one is spare until a task suspends; then it goes on here.
void worker::loop() noexcept {
  current_pe = all_.options().pe;
  current_worker = this;
  strand* const mine = now_;
  bool has_run = false;  // a task, since one that yielded went on
  for (unsigned patience = 0;;) {
    const bool is_allowed = may_run();
    strand* next = is_allowed ? next_ready() : nullptr;
    task* const its = is_allowed && next == nullptr && !(has_run && !yielded_.empty()) ? next_task() : nullptr;
    if (its != nullptr || next != nullptr) {
      has_moved_ = true;
    } else if (is_allowed && !yielded_.empty()) {
      // Whatever the tasks look for, another thread does. The PE's own one passes time in its main program's wait.
      if (number() != 0 && !has_run) all_.threads().pause(n_polls_);
      next = yielded_.front();
      yielded_.pop_front();
      has_run = false;
    }
    if (its != nullptr || next != nullptr) {
      --n_left_;
      patience = 0;
      if (its != nullptr) {
        n_polls_ = 0;
        run(*its);
        if (outboxes_ != nullptr) outboxes_->hand_over_if_asked(number());
        has_run = true;
      } else {
        spare_.push_back(mine);
        now_ = next;
        mine->strand_.switch_to(next->strand_);
      }
    } else if (number() == 0 || all_.is_ending()) {
      spare_.push_back(mine);
      now_ = nullptr;
      mine->strand_.switch_to(*thread_);
    } else {
      if (outboxes_ != nullptr) outboxes_->hand_over(number());
      all_.idle(*this, patience);
    }
  }
}

worker::turn worker::run_some(std::size_t n_most) {
  SHOAL_ASSERT(now_ == nullptr);
  if (!has_tasks() && !has_ready() && ready_first_ == nullptr && yielded_.empty() &&
      !(is_shared_ && all_.is_any_work(*this))) {
    return turn::nothing;
  }
  n_left_ = static_cast<std::int64_t>(n_most);
  has_moved_ = false;
  owner_now_ = nullptr;
  now_ = &spare_strand();
  if (!thread_) thread_.emplace();
  thread_->switch_to(now_->strand_);
  if (spare_.size() > n_spare_strands_most) free_spare_strands();
  if (has_moved_) return turn::moved;
  return n_left_ == static_cast<std::int64_t>(n_most) ? turn::nothing : turn::only_yields;
}

// A burst of tasks that wait leaves many.
void worker::free_spare_strands() {
  for (std::size_t i = n_spare_strands_most / 2; i < spare_.size(); ++i) spare_[i]->is_surplus_ = true;
  spare_.resize(n_spare_strands_most / 2);
  const std::lock_guard told(told_);
  std::erase_if(strands_, [](const auto& each) { return each->is_surplus_; });
}

void worker::run_all() {
  now_ = &spare_strand();
  thread_.emplace();
  thread_->switch_to(now_->strand_);
}

void worker::drop(task& its) noexcept {
  task_group& group = *its.group;
  its.behave(its, task::end::is_dropped);
  free(its);
  end_one(group);
}

void worker::drop_all(bool abandons) noexcept {
  while (task* const its = tasks_.pop()) drop(*its);
  if (!abandons) return;
  for (const auto& each : strands_) each->is_abandoned_ = std::ranges::find(spare_, each.get()) == spare_.end();
  yielded_.clear();
}

std::size_t worker::overflowed_bytes_at(const void* address) const noexcept {
  for (const auto& each : strands_) {
    if (each->stacks_.guard_index_of(address) != fiber_stacks::none) return each->stacks_.stack(0).size();
  }
  return 0;
}

std::string worker::describe(std::size_t n_most) const {
  std::string text;
  const std::lock_guard told(told_);
  if (const std::string what = in_words(handling(), made_now()); !what.empty()) {
    text += "; " + (number() == 0 ? "its own thread" : "worker " + std::to_string(number())) +
            (is_waiting_for_room_.load(std::memory_order_relaxed) ? " waits for room to send in " : " runs ") + what;
  }
  std::size_t n = 0;
  for (const auto& each : strands_) {
    const waiting_note* const its = each->waits_;
    if (its == nullptr || each->is_abandoned_ || n++ >= n_most) continue;
    text += "; " + in_words(its->handled, its->made) + " waits for " + its->waits_for + " (" +
            source_place(its->waits_at) + ")";
  }
  if (n > n_most) text += "; " + std::to_string(n - n_most) + " more tasks wait";
  return text;
}

}  // namespace shoal::internal
