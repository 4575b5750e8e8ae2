#include "shoal/task/internal/executor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

executor::executor(const executor_options& options)
    : options_(options), takes_turns_(options.threads != nullptr && options.threads->takes_turns()) {
  for (std::size_t i = 0; i < options_.n_workers; ++i) {
    workers_.push_back(std::make_unique<worker>(*this, i, options_.seed));
  }
  if (!is_shared()) return;
  try {
    threads().start(n_workers() - 1, [this](std::size_t number) { run(number); });
  } catch (...) {
    end_threads();
    throw;
  }
}

void executor::run(std::size_t number) {
  current_pe = options_.pe;
  at(number).run_all();
  current_pe = nullptr;
}

void executor::end_threads() noexcept {
  is_ending_.store(true, std::memory_order_seq_cst);
  threads().wake_all();
  threads().join();
}

executor::~executor() {
  if (is_shared()) end_threads();
  for (const auto& each : workers_) each->drop_all(false);
}

task* executor::steal(const worker& thief, random_engine& victims) noexcept {
  const std::size_t n = workers_.size();
  const std::size_t first = victims.below(n);
  for (std::size_t i = 0; i < n; ++i) {
    worker& victim = *workers_[(first + i) % n];
    if (&victim == &thief) continue;
    if (task* const its = victim.steal(); its != nullptr) return its;
  }
  return nullptr;
}

bool executor::is_any_task() const noexcept {
  return std::ranges::any_of(workers_, [](const auto& each) { return each->has_tasks(); });
}

bool executor::is_any_work(const worker& who) const noexcept { return who.has_ready() || is_any_task(); }

void executor::idle(const worker& who, unsigned& patience) noexcept {
  bool is_counted = false;
  threads().idle(patience, [&] {  // perhaps more than once
    if (!std::exchange(is_counted, true)) n_idle_.fetch_add(1, std::memory_order_seq_cst);
    return (!is_dropping() && is_any_work(who)) || is_ending();
  });
  if (is_counted) n_idle_.fetch_sub(1, std::memory_order_seq_cst);
}

// Those that cannot begin a task either must not wake one another in turn until the PE's own thread has done something.
void executor::pass_on_wake() noexcept {
  if (is_any_task() && n_idle_.load(std::memory_order_seq_cst) != 0) threads().wake_all();
}

bool executor::run_posted() {
  bool has_run = false;
  runs_posted_ = true;
  const task_owner* owner = nullptr;
  for (std::size_t i = 1; i < n_workers(); ++i) {
    for (posted_call* each = at(i).take_posted(); each != nullptr;) {
      posted_call* const next = each->next;
      const auto* const its = static_cast<const task_owner*>(each->owner);
      if (its != owner && options_.watcher != nullptr) options_.watcher->enter(owner = its);
      each->end(*each, true);
      each = next;
      has_run = true;
    }
  }
  if (owner != nullptr) options_.watcher->enter(nullptr);
  runs_posted_ = false;
  return has_run;
}

bool executor::has_posted() const noexcept {
  return runs_posted_ || std::ranges::any_of(workers_, [](const auto& each) { return each->has_posted(); });
}

bool executor::may_sleep(std::uint64_t n_ended) noexcept {
  is_first_asleep_.store(true, std::memory_order_seq_cst);
  if (!has_posted() && n_groups_ended() == n_ended && !is_any_work(first())) return true;
  note_awake();
  return false;
}

void executor::wake_first() noexcept {
  if (is_first_asleep_.exchange(false, std::memory_order_seq_cst)) threads().notify_pe();
}

void executor::note_dropped() noexcept {
  n_dropped_.fetch_add(1, std::memory_order_seq_cst);
  notify_first();
}

void executor::drop_all() noexcept {
  if (is_shared()) {
    n_dropped_.store(0, std::memory_order_seq_cst);
    n_drops_.fetch_add(1, std::memory_order_seq_cst);
    is_dropping_.store(true, std::memory_order_seq_cst);
    for (unsigned patience = 0; n_dropped_.load(std::memory_order_seq_cst) != n_workers() - 1;) {
      threads().wake_all();
      threads().pause(patience);
    }
    for (std::size_t i = 1; i < n_workers(); ++i) {
      for (posted_call* each = at(i).take_posted(); each != nullptr;) {
        posted_call* const next = each->next;
        each->end(*each, false);
        each = next;
      }
    }
  }
  first().drop_all(true);
  if (!is_shared()) return;
  is_dropping_.store(false, std::memory_order_seq_cst);
  threads().wake_all();
}

std::string executor::describe() const {
  constexpr std::size_t n_told = 3;
  std::string text;
  for (const auto& each : workers_) text += each->describe(n_told);
  return text;
}

}  // namespace shoal::internal
