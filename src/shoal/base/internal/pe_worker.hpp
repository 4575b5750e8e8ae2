/// The workers of a PE as layers below tasks know them: which one runs, and how others reach the PE's own thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <source_location>
#include <type_traits>
#include <utility>

namespace shoal::internal {

class handled_messages;

/// A function for the PE's own thread.
struct posted_call {
  void (*end)(posted_call& self, bool runs);  // calls it, or only destroys it, and frees itself
  posted_call* next = nullptr;  // the one posted before or, once taken, the one posted after
  const void* owner = nullptr;  // for whom the worker ran what posted it
};
template <class F>
struct posted_call_of final : posted_call {
  F function;

  template <class From>
  explicit posted_call_of(From&& f) : posted_call{&act}, function(std::forward<From>(f)) {}
  static void act(posted_call& self, bool runs) {
    auto* const its = static_cast<posted_call_of*>(&self);
    if (runs) its->function();
    delete its;
  }
};

class pe_worker {
public:
  pe_worker(const pe_worker&) = delete;
  pe_worker& operator=(const pe_worker&) = delete;

  /// 0: the PE's own thread.
  std::size_t number() const noexcept { return number_; }
  /// Calls f() on the PE's own thread, in one of its waits, after all that this worker has posted before. Does not wait.
  template <class F>
  void post(F&& f) {
    push(*new posted_call_of<std::decay_t<F>>(std::forward<F>(f)));
  }
  /// For the PE's own thread: all that was posted, the first one first.
  posted_call* take_posted() noexcept;
  bool has_posted() const noexcept { return posted_.load(std::memory_order_seq_cst) != nullptr; }
  /// There is something for the PE's own thread.
  virtual void notify_pe() noexcept = 0;

  /// Where the program made the task that runs; no line: it has made none that runs.
  std::source_location made_now() const noexcept { return made_now_.load(std::memory_order_relaxed); }
  /// What the task that runs handles; null: no messages.
  const handled_messages* handling() const noexcept { return handling_.load(std::memory_order_relaxed); }

  /// Lets a moment pass, because this worker needs something of which there is none until the PE's own thread has done what was
  /// posted: that wakes all sleepers then. Does not sleep if there is some. `patience` counts the calls of a wait.
  virtual void wait_for_pe(unsigned& patience, const std::atomic<std::size_t>& n_available) noexcept = 0;

protected:
  explicit pe_worker(std::size_t number) noexcept : number_(number) {}
  void set_made(const std::source_location& where) noexcept { made_now_.store(where, std::memory_order_relaxed); }
  void set_handling(const handled_messages* its) noexcept { handling_.store(its, std::memory_order_relaxed); }
  ~pe_worker() = default;
  virtual const void* owner_now() const noexcept = 0;

private:
  void push(posted_call& last) noexcept;

  const std::size_t number_;
  std::atomic<std::source_location> made_now_;
  std::atomic<const handled_messages*> handling_{nullptr};
  std::atomic<posted_call*> posted_{nullptr};  // the last, and those before
};

/// The worker whose task this thread runs; null: it runs none. Fibers keep theirs.
extern constinit thread_local pe_worker* current_worker __attribute__((tls_model("initial-exec")));

/// The same if it is not the PE's own thread, which alone may touch most of a PE; otherwise null.
inline pe_worker* other_worker() noexcept {
  pe_worker* const its = current_worker;
  return its != nullptr && its->number() != 0 ? its : nullptr;
}

/// What the task that this thread runs handles; null: no messages, or it runs none. On the PE's own thread handlers may run
/// while that task sends.
inline const handled_messages* handled_by_task() noexcept {
  return current_worker == nullptr ? nullptr : current_worker->handling();
}

}  // namespace shoal::internal
