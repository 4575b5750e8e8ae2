/// The threads of a PE beside its own, and how they wait: real threads, or in `sim` fibers with virtual clocks of their own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "shoal/base/types.hpp"

namespace shoal::internal {

class pe_threads {
public:
  pe_threads() = default;
  virtual ~pe_threads() = default;
  pe_threads(const pe_threads&) = delete;
  pe_threads& operator=(const pe_threads&) = delete;

  /// Starts threads 1 to `n`, each of which calls run(number). By the PE's own thread; again only after join. Throws
  /// setup_error.
  virtual void start(std::size_t n, std::function<void(std::size_t)> run) = 0;
  /// Waits until all have returned, which they do once they are woken and see that they shall. By the PE's own thread.
  virtual void join() noexcept = 0;

  // --- For the threads that were started

  /// Waits a little, because this thread has nothing to do: first in a loop, then asleep until it is woken. Does not sleep if
  /// `has_work`, which must load with seq_cst what others store with seq_cst before they wake it. `patience` counts the
  /// calls since it last had something to do.
  virtual void idle(unsigned& patience, const std::function<bool()>& has_work) noexcept = 0;
  /// Ends one wait of the PE's own thread, or the next one. By any of them.
  virtual void notify_pe() noexcept = 0;

  // --- For all threads of the PE

  /// Lets a moment pass, in which the others may do what the caller waits for. `patience` counts the calls of a wait.
  virtual void pause(unsigned& patience) noexcept = 0;
  /// There is work that any thread can do: wakes one that sleeps.
  void wake_one() noexcept {
    if (n_sleeping_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake_sleepers(false);
  }
  /// The same for work that a certain one has to do.
  void wake_all() noexcept {
    if (n_sleeping_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake_sleepers(true);
  }
  /// Whether one of those that were started does not sleep.
  bool is_any_busy() const noexcept { return n_sleeping_.load(std::memory_order_seq_cst) != n_started_; }
  /// Whether they take turns on one thread of the system. Then each calls take_turn between two tasks, which lets those go on
  /// that are behind in time.
  virtual bool takes_turns() const noexcept { return false; }
  virtual void take_turn() noexcept {}

protected:
  virtual void wake_sleepers(bool all) noexcept = 0;

  std::size_t n_started_ = 0;
  alignas(cache_line_bytes) std::atomic<std::size_t> n_sleeping_{0};  // and nobody has woken
};

/// Threads of the operating system. If the PE has been given a part of the machine with exactly one CPU for each, each gets one of them.
class machine_threads final : public pe_threads {
public:
  /// `notify` ends a wait of the PE's own thread.
  explicit machine_threads(std::function<void()> notify) : notify_(std::move(notify)) {}
  ~machine_threads() override;

  void start(std::size_t n, std::function<void(std::size_t)> run) override;
  void join() noexcept override;
  void pause(unsigned& patience) noexcept override;
  void idle(unsigned& patience, const std::function<bool()>& has_work) noexcept override;
  void notify_pe() noexcept override { notify_(); }

private:
  void wake_sleepers(bool all) noexcept override;

  const std::function<void()> notify_;
  std::vector<std::thread> threads_;
  std::vector<int> cpus_before_;  // of the PE's own thread, which has one of them now; empty: no change
  std::mutex sleep_;
  std::condition_variable sleepers_;
  // Under sleep_:
  std::uint64_t generation_ = 0;  // of sleepers, which end their sleep together
  std::size_t n_permits_ = 0;  // so many of this generation may end it
};

}  // namespace shoal::internal
