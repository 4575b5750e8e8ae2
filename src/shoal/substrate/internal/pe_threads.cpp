#include "shoal/substrate/internal/pe_threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <utility>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/cores.hpp"
#include "shoal/base/internal/signal_reports.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {
namespace {

// Looks for work before a thread sleeps: first in a loop, then after giving its core away. As long as a few tasks take.
constexpr unsigned n_spins = 200;
constexpr unsigned n_yields = 50;

}  // namespace

machine_threads::~machine_threads() { SHOAL_ASSERT(threads_.empty()); }

void machine_threads::start(std::size_t n, std::function<void(std::size_t)> run) {
  SHOAL_ASSERT(threads_.empty());
  const std::vector<int> cpus = affinity_cpus();
  // Somebody has given this PE a part of the machine.
  const bool are_bound = cpus.size() == n + 1 && static_cast<long>(cpus.size()) < ::sysconf(_SC_NPROCESSORS_ONLN);
  const signals_for_others questions;
  for (std::size_t i = 1; i <= n; ++i) {
    try {
      threads_.emplace_back([run, i, cpu = are_bound ? cpus[i] : -1] {
        const own_handler_stack for_overflows;
        if (cpu >= 0) bind_to_cpus({&cpu, 1});
        run(i);
      });
    } catch (const std::system_error& e) {
      throw setup_error("SHOAL_WORKERS=" + std::to_string(n + 1) + ": cannot start worker " + std::to_string(i) +
                        " of a PE as a thread (" + e.what() + "); choose fewer workers, or raise ulimit -u or -v");
    }
    ++n_started_;
  }
  if (!are_bound) return;
  cpus_before_ = cpus;
  bind_to_cpus({cpus.data(), 1});
}

void machine_threads::join() noexcept {
  for (std::thread& each : threads_) each.join();
  threads_.clear();
  n_started_ = 0;
  if (!cpus_before_.empty()) bind_to_cpus(std::exchange(cpus_before_, {}));
}

void machine_threads::pause(unsigned& patience) noexcept {
  if (++patience < n_spins) return;
  ::sched_yield();
}

void machine_threads::wake_sleepers(bool all) noexcept {
  {
    const std::lock_guard lock(sleep_);
    const std::size_t n = n_sleeping_.load(std::memory_order_relaxed);
    if (n == 0) return;
    // From now on they do not count as asleep, though they may wait long for a core.
    n_sleeping_.store(all ? 0 : n - 1, std::memory_order_seq_cst);
    if (all) {
      ++generation_;
      n_permits_ = 0;
    } else {
      ++n_permits_;
    }
  }
  all ? sleepers_.notify_all() : sleepers_.notify_one();
}

void machine_threads::idle(unsigned& patience, const std::function<bool()>& has_work) noexcept {
  if (++patience < n_spins) return;
  if (patience < n_spins + n_yields) {
    ::sched_yield();
    return;
  }
  patience = 0;
  std::unique_lock lock(sleep_);
  n_sleeping_.fetch_add(1, std::memory_order_seq_cst);
  // Who makes work after this look sees that somebody sleeps.
  if (has_work()) {
    n_sleeping_.fetch_sub(1, std::memory_order_seq_cst);
    return;
  }
  // One that has been woken by a permit does not count as asleep, so nobody wakes it for work of its own. Another thread may take
  // the permit before it runs: so it looks for work once more.
  const std::uint64_t mine = generation_;
  sleepers_.wait(lock, [&] { return generation_ != mine || n_permits_ != 0 || has_work(); });
  if (generation_ != mine) return;
  if (n_permits_ != 0) {
    --n_permits_;
  } else {
    n_sleeping_.fetch_sub(1, std::memory_order_seq_cst);
  }
}

}  // namespace shoal::internal
