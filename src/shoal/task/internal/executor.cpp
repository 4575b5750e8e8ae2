#include "shoal/task/internal/executor.hpp"

#include <sched.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {
namespace {

// Looks for work before a worker sleeps: first in a loop, then after giving its core away. As long as a few tasks take.
constexpr unsigned n_spins = 200;
constexpr unsigned n_yields = 50;

}  // namespace

executor::executor(const executor_options& options) : options_(options) {
  for (std::size_t i = 0; i < options_.n_workers; ++i) {
    workers_.push_back(std::make_unique<worker>(*this, i, options_.seed));
  }
  for (std::size_t i = 1; i < options_.n_workers; ++i) {
    try {
      threads_.emplace_back([this, i] {
        current_pe = options_.pe;
        at(i).run_all();
      });
    } catch (const std::system_error& e) {
      end_threads();
      throw setup_error("cannot start worker " + std::to_string(i) + " of a PE (" + e.what() +
                        "); take fewer");
    }
  }
}

void executor::end_threads() noexcept {
  is_ending_.store(true, std::memory_order_seq_cst);
  wake_sleepers(true);
  for (std::thread& each : threads_) each.join();
}

executor::~executor() {
  end_threads();
  for (const auto& each : workers_) each->drop_all();
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

bool executor::is_any_work(const worker& who) const noexcept {
  return who.has_ready() || std::ranges::any_of(workers_, [](const auto& each) { return each->has_tasks(); });
}

void executor::wake_sleepers(bool all) noexcept {
  {
    const std::lock_guard lock(sleep_);
    ++n_wakings_;
  }
  all ? sleepers_.notify_all() : sleepers_.notify_one();
}

void executor::idle(const worker& who, unsigned& patience) noexcept {
  if (++patience < n_spins) return;
  if (patience < n_spins + n_yields) {
    ::sched_yield();
    return;
  }
  patience = 0;
  std::unique_lock lock(sleep_);
  const std::uint64_t before = n_wakings_;
  n_sleeping_.fetch_add(1, std::memory_order_seq_cst);
  // Who pushes after this look sees that somebody sleeps.
  if (!is_any_work(who) && !is_ending()) sleepers_.wait(lock, [&] { return n_wakings_ != before || is_ending(); });
  n_sleeping_.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace shoal::internal
