/// Fibers: functions with their own stacks that take turns on one thread.
///
/// A switch saves and restores everything that C++ and Shoal keep per thread: the exceptions being handled, the ambient
/// PE and worker, and the sanitizers' view of the stack. Fibers stay on the thread that made them. What runs on one may go on
/// to others and back; it is the fiber that it left last that another one resumes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/machine_context.hpp"
#include "shoal/base/internal/pe_worker.hpp"

namespace shoal::internal {

/// Stacks for `n` fibers in one mapping, which uses memory only where it is touched.
///
/// Up to n_guarded_max stacks have an unmapped page below them, so an overflow is a segmentation fault at its cause. A
/// guard costs two of the kernel's memory areas, and a process may have 65,530 by default. With more stacks, each ends
/// in a marked word instead, which is_intact checks.
class fiber_stacks {
public:
  static constexpr std::size_t n_guarded_max = 20'000;

  /// `stack_bytes` is rounded up to whole pages. Throws setup_error, whose line ends with `advice`: how to need less.
  fiber_stacks(std::size_t n, std::size_t stack_bytes, std::string_view advice);
  ~fiber_stacks();
  fiber_stacks(const fiber_stacks&) = delete;
  fiber_stacks& operator=(const fiber_stacks&) = delete;

  std::span<std::byte> stack(std::size_t index) const noexcept;
  bool has_guards() const noexcept { return guard_bytes_ != 0; }

  /// The stack in which this address lies, or `none`. Signal handlers may call it.
  static constexpr std::size_t none = SIZE_MAX;
  std::size_t index_of(const void* address) const noexcept;
  /// The same for the guard below a stack, where an overflow strikes.
  std::size_t guard_index_of(const void* address) const noexcept;

  /// False if the fiber of a stack without a guard has overflowed it. Always true with guards.
  bool is_intact(std::size_t index) const noexcept;

private:
  std::byte* base_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::size_t guard_bytes_ = 0;
  std::size_t stride_ = 0;
};

/// Lets this thread access whole pages, or makes every access a segmentation fault. Ends the process if the system
/// refuses.
void set_access(std::span<std::byte> pages, bool is_allowed) noexcept;

class fiber {
public:
  using entry = void (*)(void* argument);

  /// The fiber that the calling thread already runs. Once it has switched away, others can switch to it.
  fiber() noexcept;

  /// A fiber that calls `run(argument)` on `stack` at the first switch to it. `run` must not return or let an exception
  /// escape; it ends with leave_to.
  fiber(std::span<std::byte> stack, entry run, void* argument);

  /// The fiber must not be running. Objects that are alive on its stack are not destroyed.
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// From now on nothing can access the stack of this fiber while it does not run. Called before it first runs. Costs
  /// each switch two system calls.
  void lock_stack() noexcept;

  /// Suspends this fiber, which must be the running one, and resumes `next`. Returns when another fiber switches back.
  void switch_to(fiber& next) noexcept;

  /// The last switch of this fiber.
  [[noreturn]] void leave_to(fiber& next) noexcept;

private:
  static void first_function() noexcept;
  void announce_switch_to(fiber& next, bool for_ever) noexcept;
  void arrived_from_elsewhere() noexcept;

  machine_context context_;
  entry run_ = nullptr;
  void* argument_ = nullptr;
  std::span<std::byte> stack_;  // empty for a thread's
  bool is_locked_ = false;  // stack_ is accessible only while this fiber runs

  // The sanitizers' view of this fiber's stack. For a thread's stack, it is learnt at the first switch from it.
  const void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
  void* fake_stack_ = nullptr;
  void* tsan_fiber_ = nullptr;
};

}  // namespace shoal::internal
